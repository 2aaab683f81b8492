import { queryOptions, useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { IconButton } from '../../../ui/button.tsx'
import { LinkCard } from '../post/link-card.tsx'
import type { PreviewView } from '../post/meta.ts'
import style from './link-preview.module.css'

/** Whoever types an address is let go on to its end. */
const PAUSE_MS = 700
const LINK = /https?:\/\/[^\s<>()[\]]+\.[^\s<>()[\]]*[^\s<>()[\].,;:!?'"*_]/i

const PICTURE = /!\[[^\]]*\]\([^)]*\)/g
/** Markdown may have put strokes before signs of an address. */
const STROKE = /\\(?=[^a-z0-9\s])/gi

const linkIn = (text: string): string => {
  const found = LINK.exec(text.replace(PICTURE, '').replace(STROKE, ''))?.[0] ?? ''
  return URL.canParse(found) ? found : ''
}

const linkQuery = (url: string) =>
  queryOptions({
    queryKey: ['feeds', 'link', url],
    queryFn: async ({ signal }): Promise<PreviewView> => {
      const { title, description } = (await client.media.oembed({ url }, { signal })).data
      return { url, title, description }
    },
    retry: false,
    staleTime: 300_000,
  })

/** The first address of a text, once its writer has paused. */
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
  /** An address of which the writer wants no preview. */
  readonly unwanted: string
  readonly onChange: (part: { readonly preview: PreviewView | null; readonly unwanted?: string }) => void
}

/** What the first link of a text leads to, as the post will show it, unless its writer does not want that. */
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
        label={t('writing.removePreview')}
        onClick={() => onChange({ preview: null, unwanted: preview.url })}
      >
        <X />
      </IconButton>
    </div>
  )
}
