import { useState } from 'react'
import { pictureUrl } from '../lib/pictures.ts'
import style from './avatar.module.css'

const HUES = 8
const hueOf = (name: string) => [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % HUES
/** Initials of up to two words, ignoring leading punctuation. */
const initials = (name: string) =>
  name
    .split(/\s+/)
    .flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? [...word].slice(0, 1))
    .slice(0, 2)
    .join('')
    .toUpperCase()

interface Props {
  readonly name: string
  readonly src?: string | null
  readonly size?: 'small' | 'medium' | 'large'
}

/** A profile picture or initials. Decorative, because the name is always shown next to it. */
export const Avatar = ({ name, src, size = 'medium' }: Props) => {
  const [failed, setFailed] = useState(false)
  const shape = `${style.avatar} ${style[size]}`
  if (src && !failed)
    return <img className={shape} src={pictureUrl(src)} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
  return (
    // Initials are decorative and must not become part of a surrounding button's label.
    <span className={shape} data-hue={hueOf(name)} data-letters={initials(name)} aria-hidden="true" />
  )
}
