import type { Certificate, CourseProgress, Infer } from '@lyceum/contract'
import { percentageOf } from '../courses/index.ts'
import type { CertificateRow, NextLesson, ProgressRow } from './queries.ts'

const certificateUrl = (origin: string, code: string): string => `${origin}/certificates/${code}`

/** Formats seconds, e.g. 5m or 1h 0m. */
const durationOf = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

export const viewProgress = (row: ProgressRow, next: NextLesson | null, origin: string): Infer<typeof CourseProgress> => {
  const progress_percentage = percentageOf(row.done, row.lessons_count)
  const isComplete = progress_percentage === 100
  const code = isComplete && row.certificate_at !== null ? row.certificate_code : null
  return {
    course_id: row.course_id,
    user_id: row.user_id,
    progress_percentage,
    completed_lessons: row.done,
    total_lessons: row.lessons_count,
    time_spent: durationOf(row.time_spent),
    last_accessed: row.last_accessed_at,
    started_at: row.enrolled_at,
    completed_at: isComplete ? row.completed_at : null,
    certificate_url: code === null ? null : certificateUrl(origin, code),
    next_lesson: next,
  }
}

export const viewCertificate = (row: CertificateRow, origin: string): Infer<typeof Certificate> => ({
  certificate_url: certificateUrl(origin, row.certificate_code),
  certificate_id: row.certificate_code,
  issued_at: row.certificate_at,
  course_title: row.course_title,
  student_name: row.display_name || row.username,
})
