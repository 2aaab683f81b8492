import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Layers, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { errorMessage } from '../../lib/optimistic.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/feedback.tsx'
import { TextField } from '../../ui/field.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { type CourseDetail, refreshCourse } from '../courses/queries.ts'
import type { Dragged } from './drag-and-drop.ts'
import { sectionsQuery } from './queries.ts'
import { SectionCard } from './section-card.tsx'
import style from './teaching.module.css'
import { TeachingLayout } from './teaching-layout.tsx'

const route = getRouteApi('/members/teaching/$slug')

const NewSection = ({ courseId }: { readonly courseId: number }) => {
  const { t } = useTranslation('teaching')
  const [title, setTitle] = useState('')
  const make = useMutation({
    mutationFn: () => client.courseSections.create({ course_id: courseId, title }),
    onSuccess: async () => {
      setTitle('')
      await refreshCourse()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <Card>
      <form className={style.form} onSubmit={submit}>
        <TextField
          label={t('section.new')}
          value={title}
          maxLength={194}
          error={make.isError ? errorMessage(make.error) : undefined}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <div className={style.acts}>
          <Button type="submit" icon={<Plus aria-hidden="true" />} busy={make.isPending} disabled={!title.trim()}>
            {t('section.add')}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const Sections = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('teaching')
  const list = useQuery(sectionsQuery(course.id))
  const [dragged, setDragged] = useState<Dragged | null>(null)
  if (!list.data) return <QueryState query={list} lines={8} />
  return (
    <>
      {list.data.length === 0 && (
        <Empty title={t('section.none')} icon={<Layers />}>
          <p>{t('section.noneHint')}</p>
        </Empty>
      )}
      {list.data.length > 0 && <p className={style.soft}>{t('section.hint')}</p>}
      {list.data.map((section, place) => (
        <SectionCard
          key={section.id}
          course={course}
          sections={list.data}
          section={section}
          place={place}
          dragged={dragged}
          onDrag={setDragged}
        />
      ))}
      <NewSection courseId={course.id} />
    </>
  )
}

export const ContentPage = () => {
  const { slug } = route.useParams()
  return <TeachingLayout slug={slug}>{(course) => <Sections course={course} />}</TeachingLayout>
}
