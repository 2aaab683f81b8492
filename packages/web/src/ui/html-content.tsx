import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { BASE_PATH } from '../lib/base-path.ts'
import { withPictures } from '../lib/pictures.ts'
import { appPath } from '../lib/urls.ts'
import style from './html-content.module.css'
import { useScrollables } from './scrollables.ts'

/** The app path of a clicked link, or null if the browser should handle the click. */
const placeOf = (event: MouseEvent): string | null => {
  const link = event.target instanceof Element && event.target.closest('a')
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey && !event.defaultPrevented
  return link && isPlain && !link.hasAttribute('download') ? appPath(link.href) : null
}

/** HTML rendered by the server. It is sanitized, and the page's content security policy blocks scripts in it. */
export const HtmlContent = ({ html, className = '' }: { readonly html: string; readonly className?: string }) => {
  const { t } = useTranslation()
  const router = useRouter()
  const go = (event: MouseEvent) => {
    const place = placeOf(event)
    if (place === null) return
    event.preventDefault()
    router.history.push(BASE_PATH + place)
  }
  const around = useScrollables(html, t('scrollable'))
  const inner = { __html: withPictures(html) }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only handles clicks that bubble up from its links
    // biome-ignore lint/a11y/useKeyWithClickEvents: activating a link by keyboard also fires click
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the API returns only sanitized HTML
    <div ref={around} dir="auto" className={`${style.rendered} ${className}`} onClick={go} dangerouslySetInnerHTML={inner} />
  )
}
