import { queryOptions, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { keys } from '../../../lib/query-keys.ts'
import { IconButton } from '../../../ui/button.tsx'
import { LinkCard } from '../post/link-card.tsx'
import type { PreviewView } from '../post/meta.ts'
import style from './link-preview.module.css'

/** Debounce while the user types a URL. */
const PAUSE_MS = 700
const LINK = /https?:\/\/[^\s<>()[\]]+\.[^\s<>()[\]]*[^\s<>()[\].,;:!?'"*_]/i

const PICTURE = /!\[[^\]]*\]\([^)]*\)/g
/** Removes Markdown escapes from a URL. */
const STROKE = /\\(?=[^a-z0-9\s])/gi

const linkIn = (text: string): string => {
  const found = LINK.exec(text.replace(PICTURE, '').replace(STROKE, ''))?.[0] ?? ''
  return URL.canParse(found) ? found : ''
}

const linkQuery = (url: string) =>
  queryOptions({
    queryKey: keys.feeds.linkPreview(url),
    queryFn: async ({ signal }): Promise<PreviewView> => {
      const { title, description } = (await client.media.oembed({ url }, { signal })).data
      return { url, title, description }
    },
    retry: false,
    staleTime: 300_000,
  })

/** The first URL of a text, debounced. */
const useLink = (text: string): string => {
  const link = useDeferredValue(linkIn(text))
  const [settled, setSettled] = useState(link)
  useEffect(() => {
    if (link === settled) return
    const timer = setTimeout(() => setSettled(link), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [link, settled])
  return settled
}

interface Props {
  readonly text: string
  readonly preview: PreviewView | null
  /** A URL whose preview the user has removed. */
  readonly unwanted: string
  readonly onChange: (part: { readonly preview: PreviewView | null; readonly unwanted?: string }) => void
}

/** The preview of the first link, as the post will show it, unless the user removes it. */
export const LinkPreview = ({ text, preview, unwanted, onChange }: Props) => {
  const { t } = useTranslation('feeds')
  const link = useLink(text)
  const isAsked = link !== '' && link !== unwanted
  const found = useQuery({ ...linkQuery(link), enabled: isAsked && preview?.url !== link })
  const tell = useRef(onChange)
  tell.current = onChange
  const shownFor = useRef(preview?.url === link ? link : '')
  useEffect(() => {
    if (isAsked && found.data && preview?.url !== link) {
      shownFor.current = link
      tell.current({ preview: found.data })
    } else if (preview && preview.url === shownFor.current && link !== shownFor.current) tell.current({ preview: null })
  }, [isAsked, link, found.data, preview])
  if (!preview) return null
  return (
    <div className={style.around}>
      <LinkCard preview={preview} />
      <IconButton
        className={style.remove ?? ''}
        label={t('editor.removePreview')}
        onClick={() => onChange({ preview: null, unwanted: preview.url })}
      >
        <X />
      </IconButton>
    </div>
  )
}
