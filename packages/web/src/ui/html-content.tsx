import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { withPictures } from '../lib/pictures.ts'
import { placeAt } from '../lib/urls.ts'
import style from './html-content.module.css'
import { useScrollables } from './scrollables.ts'

/** The place in this app that a press on a link of a text leads to; null where the browser is to do what it does. */
const placeOf = (event: MouseEvent): string | null => {
  const link = event.target instanceof Element && event.target.closest('a')
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && !event.defaultPrevented
  return link && isPlain && !link.hasAttribute('download') ? placeAt(link.href) : null
}

/** A text that the server has rendered: safe HTML, by its sanitiser and by the policy of this page, which lets no script of it run. */
export const Rendered = ({ html, className = '' }: { readonly html: string; readonly className?: string }) => {
  const { t } = useTranslation()
  const router = useRouter()
  const go = (event: MouseEvent) => {
    const place = placeOf(event)
    if (place === null) return
    event.preventDefault()
    router.history.push(place)
  }
  const around = useScrollables(html, t('scrollable'))
  const inner = { __html: withPictures(html) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its links are pressed with
    // biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a link is a click as well
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the API gives out sanitised HTML alone
    <div ref={around} dir="auto" className={`${style.rendered} ${className}`} onClick={go} dangerouslySetInnerHTML={inner} />
  )
}
