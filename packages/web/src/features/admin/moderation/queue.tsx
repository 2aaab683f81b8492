import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../../../lib/base-path.ts'
import { optimistic } from '../../../lib/optimistic.ts'
import { queryClient } from '../../../lib/query.ts'
import { useShortcut } from '../../../lib/shortcuts.ts'
import { pathOf } from '../../../lib/urls.ts'
import { Empty } from '../../../ui/feedback.tsx'
import { QueryState } from '../../../ui/query-state.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { PageHeader } from '../form-kit.tsx'
import style from './moderation.module.css'
import { decide, type HeldItem, queueQuery, removeFromQueue } from './queries.ts'
import { QueueItem } from './queue-item.tsx'
import { RejectDialog } from './reject-dialog.tsx'

/** The moderation queue, which supports keyboard shortcuts. */
export const QueuePage = () => {
  const { t } = useTranslation('admin')
  const queue = useQuery(queueQuery)
  const router = useRouter()
  const list = useRef<HTMLOListElement>(null)
  const [at, setAt] = useState(0)
  const [rejected, setRejected] = useState<HeldItem | null>(null)
  const items = queue.data?.items ?? []
  const current = Math.min(at, items.length - 1)
  const go = (to: number) => {
    const next = Math.max(0, Math.min(to, items.length - 1))
    setAt(next)
    list.current?.querySelectorAll<HTMLElement>('[data-item]')[next]?.focus()
  }
  const left = async (done: boolean) => {
    // Keep the focus in the list, on the item that moved up.
    if (done) requestAnimationFrame(() => go(current))
    if (!done || items.length <= 1) await queryClient.invalidateQueries({ queryKey: queueQuery.queryKey })
  }
  const approve = async (item: HeldItem) => {
    const undo = removeFromQueue(item)
    const done = await optimistic(undo, () => decide(item, 'approve'))
    if (done) toast(t('queue.approved'))
    await left(done)
  }
  const open = (item: HeldItem) => router.history.push(BASE_PATH + pathOf(item.url))
  const withCurrent = (work: (item: HeldItem) => void) => () => {
    const item = items[current]
    if (item) work(item)
  }
  useShortcut('j', t('queue.keyNext'), () => go(current + 1))
  useShortcut('k', t('queue.keyPrevious'), () => go(current - 1))
  useShortcut(
    'a',
    t('queue.keyApprove'),
    withCurrent((item) => void approve(item)),
  )
  useShortcut('r', t('queue.keyReject'), withCurrent(setRejected))
  useShortcut('o', t('queue.keyOpen'), withCurrent(open))
  return (
    <>
      <PageHeader title={t('area.queue')} about={t('queue.about')} />
      <QueryState
        query={queue}
        lines={6}
        isEmpty={items.length === 0}
        empty={
          <Empty title={t('queue.empty')} icon={<CircleCheck aria-hidden="true" />}>
            <p>{t('queue.emptyHint')}</p>
          </Empty>
        }
      />
      {items.length > 0 && (
        <>
          <p className={style.count} role="status">
            {t('queue.waiting', { count: queue.data?.pagination.total ?? 0 })} <span className={style.keys}>{t('queue.keys')}</span>
          </p>
          <ol ref={list} className={style.list}>
            {items.map((item, index) => (
              <QueueItem
                key={`${item.object_type}-${item.object_id}`}
                item={item}
                current={index === current}
                onFocus={() => setAt(index)}
                onApprove={() => approve(item)}
                onReject={() => setRejected(item)}
              />
            ))}
          </ol>
        </>
      )}
      {rejected && (
        <RejectDialog
          item={rejected}
          onClose={() => setRejected(null)}
          onDone={() => {
            removeFromQueue(rejected)
            toast(t('queue.rejected'))
            void left(true)
          }}
        />
      )}
    </>
  )
}
