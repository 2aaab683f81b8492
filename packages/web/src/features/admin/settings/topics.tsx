import type { Answers } from '@lyceum/sdk'
import { useQuery } from '@tanstack/react-query'
import { Plus, Tags, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { queryClient } from '../../../lib/query.ts'
import { keys } from '../../../lib/query-keys.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Empty } from '../../../ui/feedback.tsx'
import { Check, TextArea, TextField } from '../../../ui/field.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { PageHeader, SaveForm, Tag } from '../form-kit.tsx'
import style from './settings.module.css'

type Topic = Answers['adminTopics']['list']['topics'][number]

const QUERY = { queryKey: keys.admin.topics, queryFn: async () => (await client.adminTopics.list({ per_page: 100 })).topics }
const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: QUERY.queryKey }),
    queryClient.invalidateQueries({ queryKey: keys.feeds.topicLists }),
  ])

const TopicDialog = ({ topic, onClose }: { readonly topic: Topic | null; readonly onClose: () => void }) => {
  const { t } = useTranslation('admin')
  const apiForm = useApiForm()
  const [form, setForm] = useState({
    title: topic?.title ?? '',
    description: topic?.description ?? '',
    active: topic?.status !== 'inactive',
    reserved: topic?.admin_only === 'yes',
  })
  const save = async () => {
    const { title, description, active, reserved } = form
    const sent = { title, description, status: active ? ('active' as const) : ('inactive' as const), admin_only: reserved }
    if (
      !(await apiForm.run(
        () => (topic ? client.adminTopics.update({ topic_id: topic.id, ...sent }) : client.adminTopics.create(sent)),
        t('saved'),
      ))
    )
      return
    onClose()
    await refresh()
  }
  return (
    <Dialog title={t(topic ? 'topics.edit' : 'topics.add')} onClose={onClose}>
      <SaveForm form={apiForm} onSave={save}>
        <TextField
          label={t('topics.title')}
          value={form.title}
          required
          maxLength={100}
          onChange={(event) => setForm({ ...form, title: event.currentTarget.value })}
        />
        <TextArea
          label={t('topics.description')}
          value={form.description}
          onChange={(event) => setForm({ ...form, description: event.currentTarget.value })}
        />
        <Check
          label={t('topics.active')}
          checked={form.active}
          onChange={(event) => setForm({ ...form, active: event.currentTarget.checked })}
        />
        <Check
          label={t('topics.reserved')}
          checked={form.reserved}
          onChange={(event) => setForm({ ...form, reserved: event.currentTarget.checked })}
        />
      </SaveForm>
    </Dialog>
  )
}

export const TopicsPage = () => {
  const { t } = useTranslation('admin')
  const topics = useQuery(QUERY)
  const [edited, setEdited] = useState<Topic | 'new' | null>(null)
  const [removed, setRemoved] = useState<Topic | null>(null)
  return (
    <>
      <PageHeader title={t('area.topics')} about={t('topics.about')}>
        <Button kind="primary" icon={<Plus aria-hidden="true" />} onClick={() => setEdited('new')}>
          {t('topics.add')}
        </Button>
      </PageHeader>
      <QueryState
        query={topics}
        lines={6}
        isEmpty={topics.data?.length === 0}
        empty={
          <Empty title={t('topics.empty')} icon={<Tags aria-hidden="true" />}>
            <p>{t('topics.emptyHint')}</p>
          </Empty>
        }
      />
      {topics.data && topics.data.length > 0 && (
        <Card>
          <ul>
            {topics.data.map((topic) => (
              <li key={topic.id} className={style.row}>
                <div className={style.name}>
                  <strong>{topic.title}</strong>
                  <p>{t('topics.posts', { count: topic.posts_count })}</p>
                </div>
                {topic.status === 'inactive' && <Tag kind="warn">{t('topics.inactive')}</Tag>}
                <Button onClick={() => setEdited(topic)} aria-label={t('members.editOf', { name: topic.title })}>
                  {t('common:edit')}
                </Button>
                <IconButton label={t('topics.remove', { name: topic.title })} onClick={() => setRemoved(topic)}>
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {edited && <TopicDialog topic={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {removed && (
        <Confirm
          title={t('topics.removeTitle', { name: removed.title })}
          action={t('common:delete')}
          onClose={() => setRemoved(null)}
          onConfirm={async () => {
            await client.adminTopics.remove({ topic_id: removed.id })
            await refresh()
          }}
        >
          <p>{t('topics.removeHint')}</p>
        </Confirm>
      )}
    </>
  )
}
