import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { communityQuery } from '../../../lib/community.ts'
import { errorMessage } from '../../../lib/optimistic.ts'
import { pictureUrl } from '../../../lib/pictures.ts'
import { keys } from '../../../lib/query-keys.ts'
import type { GifView } from '../post/meta.ts'
import style from './autocomplete-popup.module.css'
import { AutocompletePopup } from './autocomplete-popup.tsx'

const gifsQuery = (q: string) =>
  queryOptions({
    queryKey: keys.feeds.gifs(q),
    queryFn: async ({ signal }) => (await client.gif.search({ q, limit: 24 }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })

interface Props {
  readonly onChoose: (gif: GifView & { readonly id: string }) => void
}

const Gifs = ({ sought, onChoose }: Props & { readonly sought: string }) => {
  const { t } = useTranslation('feeds')
  const q = useDeferredValue(sought.trim())
  const found = useQuery({ ...gifsQuery(q), enabled: q.length > 1 })
  return (
    <>
      {found.isError && <p className={style.none}>{errorMessage(found.error)}</p>}
      {found.data?.length === 0 && <p className={style.none}>{t('editor.noGifFound')}</p>}
      <div className={style.gifs}>
        {(q.length > 1 ? (found.data ?? []) : []).map(({ id, title, images }) => {
          const { url, width, height } = images.downsized ?? images.original
          return (
            <button
              key={id}
              type="button"
              className={style.gif}
              aria-label={title}
              onClick={() => onChoose({ id, url, title, width, height })}
            >
              <img
                src={pictureUrl((images.fixed_height_small ?? images.preview ?? images.original).url)}
                alt=""
                loading="lazy"
                referrerPolicy="no-referrer"
              />
            </button>
          )
        })}
      </div>
    </>
  )
}

/** GIF search of the configured provider; renders nothing without one. */
export const GifPicker = ({ onChoose }: Props) => {
  const { t } = useTranslation('feeds')
  const community = useQuery(communityQuery)
  if (!community.data?.features.gif) return null
  return (
    <AutocompletePopup
      label={t('editor.gif')}
      sign={
        <span className={style.word} aria-hidden="true">
          GIF
        </span>
      }
      seek={t('editor.searchGif')}
    >
      {(sought, close) => (
        <Gifs
          sought={sought}
          onChoose={(gif) => {
            close()
            onChoose(gif)
          }}
        />
      )}
    </AutocompletePopup>
  )
}
