import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../../lib/base-path.ts'
import { upload } from '../../lib/upload.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/feedback.tsx'
import { Choice, TextArea, TextField } from '../../ui/field.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { LEVELS, type SettingsDraft } from './settings-draft.ts'
import style from './teaching.module.css'

const HtmlEditor = lazy(() => import('./html-editor.tsx').then((module) => ({ default: module.HtmlEditor })))

interface Props {
  readonly form: SettingsDraft
  readonly set: (change: Partial<SettingsDraft>) => void
  readonly errorOf: (field: string) => string | undefined
}

export const GeneralFields = ({ form, set, errorOf }: Props) => {
  const { t } = useTranslation('teaching')
  return (
    <Card className={style.form}>
      <h2>{t('settings.about')}</h2>
      <TextField
        label={t('field.title')}
        value={form.title}
        required
        maxLength={194}
        error={errorOf('title')}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <TextArea
        label={t('field.description')}
        hint={t('field.descriptionHint')}
        value={form.description}
        required
        error={errorOf('description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Suspense fallback={<Skeleton lines={14} />}>
        <HtmlEditor label={t('field.content')} value={form.content} source="course" onChange={(content) => set({ content })} />
      </Suspense>
      <PictureField
        label={t('field.cover')}
        value={form.cover_photo}
        wide
        onChange={(cover_photo) => set({ cover_photo })}
        send={async (file, onProgress) => (await upload(file, 'course', onProgress)).file_url}
      />
      <div className={style.pair}>
        <TextField
          label={t('field.emoji')}
          hint={t('field.emojiHint')}
          value={form.emoji}
          maxLength={50}
          onChange={(event) => set({ emoji: event.currentTarget.value })}
        />
        <TextField
          label={t('field.category')}
          value={form.category}
          maxLength={100}
          onChange={(event) => set({ category: event.currentTarget.value })}
        />
        <Choice
          label={t('field.level')}
          value={form.difficulty}
          options={LEVELS}
          words={(each) => t(`level.${each}`)}
          onChoose={(difficulty) => set({ difficulty })}
        />
        <TextField
          label={t('field.duration')}
          hint={t('field.durationHint')}
          value={form.duration}
          maxLength={100}
          onChange={(event) => set({ duration: event.currentTarget.value })}
        />
      </div>
      <TextField
        label={t('field.slug')}
        hint={`${location.origin}${BASE_PATH}/courses/${form.slug}`}
        value={form.slug}
        maxLength={194}
        pattern="[A-Za-z0-9_\-]*"
        error={errorOf('slug')}
        onChange={(event) => set({ slug: event.currentTarget.value })}
      />
    </Card>
  )
}
