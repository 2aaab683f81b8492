import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { type FormEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formErrors } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import back from '../../ui/back-link.module.css'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { refreshCourse } from '../courses/queries.ts'
import style from './teaching.module.css'

/** Creates a course with title and description. It is a draft until it is published. */
export const NewCoursePage = () => {
  const { t } = useTranslation('teaching')
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [description, setDescription] = useState('')
  // One key for all attempts with the same content, so that a retry does not create a second course.
  // biome-ignore lint/correctness/useExhaustiveDependencies: different content is a different course
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [title, description])
  const make = useMutation({
    mutationFn: () => client.courses.create({ title, description }, { idempotencyKey }),
    onSuccess: async ({ data }) => {
      await refreshCourse()
      await navigate({ to: '/teaching/$slug', params: { slug: data.slug } })
    },
  })
  const errorOf = formErrors(make.error, ['title'])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <div className={style.page}>
      <Link to="/teaching" className={back.link}>
        <ChevronLeft aria-hidden="true" /> {t('managed.title')}
      </Link>
      <PageTitle>{t('new.title')}</PageTitle>
      <h1>{t('new.title')}</h1>
      <Card>
        <form className={style.form} onSubmit={submit}>
          <TextField
            label={t('field.title')}
            value={title}
            maxLength={194}
            required
            error={errorOf('title')}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <TextArea
            label={t('field.description')}
            hint={t('field.descriptionHint')}
            value={description}
            required
            error={errorOf('')}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <p className={style.soft}>{t('new.hint')}</p>
          <div className={style.end}>
            <Button kind="primary" type="submit" busy={make.isPending} disabled={!title.trim() || !description.trim()}>
              {t('new.create')}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}
