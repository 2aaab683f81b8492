import { useNavigate } from '@tanstack/react-router'
import { Copy, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../lib/client.ts'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type CourseDetail, canCreateCourses, refreshCourse } from '../courses/queries.ts'
import style from './teaching.module.css'

/** Duplicates or deletes a course. */
export const DangerZone = ({ course }: { readonly course: CourseDetail }) => {
  const { t } = useTranslation('teaching')
  const me = useMe()
  const navigate = useNavigate()
  const [asking, setAsking] = useState<'copy' | 'delete' | null>(null)
  const copy = async () => {
    const { data } = await client.courseCopies.course({ course_id: course.id })
    await refreshCourse()
    toast(t('copied'))
    await navigate({ to: '/teaching/$slug', params: { slug: data.slug }, ignoreBlocker: true })
  }
  const remove = async () => {
    await client.courses.remove({ course_id: course.id })
    await navigate({ to: '/teaching', ignoreBlocker: true })
    await refreshCourse()
    toast(t('deleted'))
  }
  return (
    <Card className={style.form}>
      <h2>{t('settings.dangerZone')}</h2>
      <div className={style.acts}>
        {canCreateCourses(me) && (
          <Button icon={<Copy aria-hidden="true" />} onClick={() => setAsking('copy')}>
            {t('copyCourse')}
          </Button>
        )}
        <Button icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking('delete')}>
          {t('deleteCourse')}
        </Button>
      </div>
      {asking === 'copy' && (
        <Confirm title={t('copyCourse')} action={t('copy')} danger={false} onConfirm={copy} onClose={() => setAsking(null)}>
          <p>{t('copySure')}</p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm title={t('deleteCourse')} action={t('common:delete')} onConfirm={remove} onClose={() => setAsking(null)}>
          <p>{t('deleteSure', { title: course.title })}</p>
        </Confirm>
      )}
    </Card>
  )
}
