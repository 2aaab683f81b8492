import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronLeft, Eye } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiForm } from '../../lib/api-form.ts'
import { client } from '../../lib/client.ts'
import back from '../../ui/back-link.module.css'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Empty, Skeleton } from '../../ui/feedback.tsx'
import { Check, Choice, TextField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryState } from '../../ui/query-state.tsx'
import { toast } from '../../ui/toasts.tsx'
import { UnsavedChangesGuard } from '../../ui/unsaved-changes.tsx'
import { type CourseDetail, courseQuery, type LessonDetail, lessonQuery, lessonsQuery, refreshCourse } from '../courses/queries.ts'
import { QuizBuilder } from './quiz/quiz-builder.tsx'
import { draftOf, inputOf } from './quiz/quiz-draft.ts'
import { Resources } from './resources.tsx'
import style from './teaching.module.css'

const route = getRouteApi('/members/teaching/$slug/lessons/$lesson')
const HtmlEditor = lazy(() => import('./html-editor.tsx').then((module) => ({ default: module.HtmlEditor })))
const STATUSES = ['draft', 'published', 'archived'] as const

const LessonForm = ({ course, lesson }: { readonly course: CourseDetail; readonly lesson: LessonDetail }) => {
  const { t } = useTranslation('teaching')
  const { title, slug, content, video_url, duration, is_preview, status, resources } = lesson
  const [form, setForm] = useState({ title, slug, content, video_url, duration, is_preview, status, resources })
  const [quiz, setQuiz] = useState(() => (lesson.type === 'quiz' ? draftOf(lesson.quiz) : null))
  const set = (change: Partial<typeof form>) => setForm((before) => ({ ...before, ...change }))
  const now = JSON.stringify({ form, quiz })
  const [kept, setKept] = useState(now)
  const save = useMutation({
    mutationFn: (_now: string) =>
      client.lessons.update({
        course_id: course.id,
        lesson_id: lesson.id,
        ...form,
        resources: form.resources.filter(({ url }) => url.trim() !== ''),
        ...(quiz && { quiz: inputOf(quiz) }),
      }),
    onSuccess: async (_answer, saved) => {
      setKept(saved)
      toast(t('saved'))
      await refreshCourse()
    },
  })
  const { ref, errorOf, formError } = useApiForm({ fields: ['title', 'video_url', 'slug', 'resources'], error: save.error })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(now)
  }
  return (
    <form className={style.form} ref={ref} onSubmit={submit}>
      <UnsavedChangesGuard when={now !== kept} />
      <Card className={style.form}>
        <TextField
          label={t('field.title')}
          value={form.title}
          required
          maxLength={192}
          error={errorOf('title')}
          onChange={(event) => set({ title: event.currentTarget.value })}
        />
        <Suspense fallback={<Skeleton lines={14} />}>
          <HtmlEditor label={t('field.content')} value={form.content} source="lesson" onChange={(html) => set({ content: html })} />
        </Suspense>
        <TextField
          label={t('field.video')}
          hint={t('field.videoHint')}
          type="url"
          value={form.video_url}
          error={errorOf('video_url')}
          onChange={(event) => set({ video_url: event.currentTarget.value })}
        />
        <Resources resources={form.resources} error={errorOf('resources')} onChange={(list) => set({ resources: list })} />
      </Card>
      {quiz && <QuizBuilder quiz={quiz} onChange={setQuiz} />}
      <Card className={style.form}>
        <h2>{t('lesson.state')}</h2>
        <div className={style.pair}>
          <Choice
            label={t('field.status')}
            value={form.status}
            options={STATUSES}
            words={(each) => t(`status.${each}`)}
            onChoose={(status) => set({ status })}
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
          value={form.slug}
          maxLength={100}
          error={errorOf('slug')}
          onChange={(event) => set({ slug: event.currentTarget.value })}
        />
        <Check
          label={t('field.preview')}
          checked={form.is_preview}
          onChange={(event) => set({ is_preview: event.currentTarget.checked })}
        />
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

const Editor = ({ course, id }: { readonly course: CourseDetail; readonly id: number }) => {
  const { t } = useTranslation('teaching')
  const lesson = useQuery({ ...lessonQuery(course.id, id), staleTime: 0 })
  if (!lesson.data) return <QueryState query={lesson} lines={8} />
  return (
    <>
      <header className={style.head}>
        <PageTitle>{t(lesson.data.type === 'quiz' ? 'lesson.editQuiz' : 'lesson.edit')}</PageTitle>
        <h1>{t(lesson.data.type === 'quiz' ? 'lesson.editQuiz' : 'lesson.edit')}</h1>
        <Link
          to="/courses/$slug/lessons/$lesson"
          params={{ slug: course.slug, lesson: lesson.data.slug }}
          className={`${button.button} ${button.plain}`}
        >
          <Eye aria-hidden="true" /> {t('view')}
        </Link>
      </header>
      <LessonForm key={lesson.data.id} course={course} lesson={lesson.data} />
    </>
  )
}

/** Links use the lesson ID, which does not change; a typed URL may use the slug. */
const Found = ({ course, name }: { readonly course: CourseDetail; readonly name: string }) => {
  const { t } = useTranslation('courses')
  const isId = /^\d+$/.test(name)
  const lessons = useQuery({ ...lessonsQuery(course.id), enabled: !isId })
  if (isId) return <Editor course={course} id={Number(name)} />
  if (!lessons.data) return <QueryState query={lessons} lines={8} />
  const listed = lessons.data.find(({ slug }) => slug === name)
  return listed ? <Editor course={course} id={listed.id} /> : <Empty title={t('noSuchLesson')} />
}

export const LessonEditorPage = () => {
  const { slug, lesson } = route.useParams()
  const course = useQuery(courseQuery(slug))
  return (
    <div className={style.page} data-wide>
      <Link to="/teaching/$slug" params={{ slug }} className={back.link}>
        <ChevronLeft aria-hidden="true" /> {course.data?.title}
      </Link>
      <QueryState query={course} lines={8} />
      {course.data && <Found course={course.data} name={lesson} />}
    </div>
  )
}
