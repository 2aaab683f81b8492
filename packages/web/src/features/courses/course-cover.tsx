import { useState } from 'react'
import { pictureUrl } from '../../lib/pictures.ts'
import style from './course-cover.module.css'

interface Props {
  readonly course: {
    readonly id: number
    readonly title: string
    readonly cover_photo: string
    readonly featured_image: string
    readonly settings: { readonly emoji: string }
  }
  readonly large?: boolean
}

const HUES = 6

/** The cover of a course, or its emoji on a generated color. Decorative. */
export const CourseCover = ({ course, large = false }: Props) => {
  const [failed, setFailed] = useState(false)
  const picture = course.cover_photo || course.featured_image
  const shape = `${style.cover} ${large ? style.large : ''}`
  if (picture && !failed)
    return <img className={shape} src={pictureUrl(picture)} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
  return (
    <span className={shape} data-hue={course.id % HUES} aria-hidden="true">
      {course.settings.emoji || [...course.title][0]}
    </span>
  )
}
