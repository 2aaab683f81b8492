import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Check, Choice } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { UnsavedChangesGuard } from '../../ui/unsaved-changes.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import { DangerZone } from './danger-zone.tsx'
import { GeneralFields } from './general-settings.tsx'
import { Prerequisites } from './prerequisites.tsx'
import { PRIVACIES, STATUSES, SWITCHES, startOf, TYPES } from './settings-draft.ts'
import style from './teaching.module.css'
import { TeachingLayout } from './teaching-layout.tsx'

const route = getRouteApi('/members/teaching/$slug/settings')

const SettingsForm = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('teaching')
  const navigate = useNavigate()
  const [form, setForm] = useState(() => startOf(course))
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }))
  const now = JSON.stringify(form)
  const [kept, setKept] = useState(now)
  const save = useMutation({
    mutationFn: (_now: string) => {
      const { emoji, required, ...plain } = form
      const settings = { emoji, ...Object.fromEntries(SWITCHES.map((name) => [name, form[name] ? 'yes' : 'no'] as const)) }
      const writable = Object.fromEntries(Object.entries(plain).filter(([name]) => !SWITCHES.some((each) => each === name))) as Omit<
        typeof plain,
        (typeof SWITCHES)[number]
      >
      return client.courses.update({ course_id: course.id, ...writable, settings, prerequisites: required.map(({ id }) => id) })
    },
    onSuccess: async ({ data }, saved) => {
      setKept(saved)
      toast(t('saved'))
      if (data.slug !== course.slug)
        await navigate({ to: '/teaching/$slug/settings', params: { slug: data.slug }, replace: true, ignoreBlocker: true })
      await refreshCourse()
    },
  })
  const { ref, errorOf, formError } = useApiForm({ fields: ['title', 'description', 'slug'], error: save.error })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(now)
  }
  return (
    <form className={style.form} ref={ref} onSubmit={submit}>
      <UnsavedChangesGuard when={now !== kept} />
      <GeneralFields form={form} set={set} errorOf={errorOf} />
      <Card className={style.form}>
        <h2>{t('settings.access')}</h2>
        <div className={style.pair}>
          <Choice
            label={t('field.status')}
            value={form.status}
            options={STATUSES}
            words={(each) => t(`status.${each}`)}
            onChoose={(status) => set({ status })}
          />
          <Choice
            label={t('field.privacy')}
            value={form.privacy}
            hint={t(`privacyHint.${form.privacy}`)}
            options={PRIVACIES}
            words={(each) => t(`privacy.${each}`)}
            onChoose={(privacy) => set({ privacy })}
          />
        </div>
        <Prerequisites course={course} chosen={form.required} onChange={(required) => set({ required })} />
      </Card>
      <Card className={style.form}>
        <h2>{t('settings.schedule')}</h2>
        <Choice
          label={t('field.type')}
          value={form.course_type}
          hint={t(`typeHint.${form.course_type}`)}
          options={TYPES}
          words={(each) => t(`type.${each}`)}
          onChoose={(course_type) => set({ course_type })}
        />
        {SWITCHES.map((name) => (
          <Check
            key={name}
            label={t(`switch.${name}`)}
            checked={form[name]}
            onChange={(event) => set({ [name]: event.currentTarget.checked })}
          />
        ))}
      </Card>
      <div className={style.bar}>
        <ErrorMessage>{formError}</ErrorMessage>
        <Button kind="primary" type="submit" busy={save.isPending}>
          {t('common:save')}
        </Button>
      </div>
    </form>
  )
}

export const SettingsPage = () => {
  const { slug } = route.useParams()
  return (
    <TeachingLayout slug={slug}>
      {(course) => (
        <>
          <SettingsForm key={course.id} course={course} />
          <DangerZone course={course} />
        </>
      )}
    </TeachingLayout>
  )
}
