import { LyceumError } from '@lyceum/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { queryClient } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { say } from '../../ui/toasts.tsx'
import style from './composer.module.css'

/** Where a post is written. What was written and not sent is there again the next time. */
export const Composer = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('feeds')
  const [title, setTitle] = useState(() => localStorage.getItem('draft-title') ?? '')
  const [message, setMessage] = useState(() => localStorage.getItem('draft') ?? '')
  const keep = (name: string, set: (text: string) => void) => (event: { readonly currentTarget: { readonly value: string } }) => {
    localStorage.setItem(name, event.currentTarget.value)
    set(event.currentTarget.value)
  }
  const post = useMutation({
    mutationFn: () => client.feeds.create({ title, message, content_type: 'markdown' }, { idempotencyKey: crypto.randomUUID() }),
    onSuccess: async ({ data }) => {
      localStorage.removeItem('draft')
      localStorage.removeItem('draft-title')
      say(t(data.status === 'pending' ? 'composer.waiting' : 'composer.posted'))
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['feeds', 'list'] })
    },
  })
  const errors = post.error instanceof LyceumError ? post.error : null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    post.mutate()
  }
  return (
    <Dialog title={t('composer.new')} onClose={onClose} wide lightly={message === ''}>
      <form className={style.form} onSubmit={submit}>
        <TextField label={t('composer.title')} hint={t('composer.titleHint')} value={title} onChange={keep('draft-title', setTitle)} maxLength={192} />
        <TextArea label={t('composer.message')} value={message} onChange={keep('draft', setMessage)} error={errors?.message} required autoFocus />
        <div className={style.end}>
          <Button kind="quiet" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button kind="primary" type="submit" busy={post.isPending} disabled={message.trim() === ''}>
            {t('composer.post')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
