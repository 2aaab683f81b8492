import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { communityQuery } from '../../../lib/community.ts'
import { reasonOf } from '../../../lib/doing.ts'
import type { GifView } from '../post/meta.ts'
import style from './picker.module.css'

const gifsQuery = (q: string) =>
  queryOptions({
    queryKey: ['feeds', 'gif', q],
    queryFn: async ({ signal }) => (await client.gif.search({ q, limit: 24 }, { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 300_000,
  })

/** Moving pictures of the provider that the community has set up; nothing where it has none. */
export const GifPicker = ({ onChoose }: { readonly onChoose: (gif: GifView & { readonly id: string }) => void }) => {
  const { t } = useTranslation('feeds')
  const [sought, setSought] = useState('')
  const q = useDeferredValue(sought.trim())
  const community = useQuery(communityQuery)
  const found = useQuery({ ...gifsQuery(q), enabled: q.length > 1 })
  if (!community.data?.features.gif) return null
  return (
    <DialogTrigger onOpenChange={() => setSought('')}>
      <Button className={style.trigger ?? ''} aria-label={t('writing.gif')}>
        <span className={style.word} aria-hidden="true">
          GIF
        </span>
      </Button>
      <Popover className={style.popover ?? ''} placement="top start">
        <Dialog className={style.dialog ?? ''} aria-label={t('writing.gif')}>
          {({ close }) => (
            <>
              <input
                type="search"
                className={style.search}
                value={sought}
                onChange={(event) => setSought(event.currentTarget.value)}
                placeholder={t('writing.seekGif')}
                aria-label={t('writing.seekGif')}
              />
              {found.isError && <p className={style.none}>{reasonOf(found.error)}</p>}
              {found.data?.length === 0 && <p className={style.none}>{t('writing.noGif')}</p>}
              <div className={style.gifs}>
                {(q.length > 1 ? (found.data ?? []) : []).map(({ id, title, images }) => {
                  const { url, width, height } = images.downsized ?? images.original
                  return (
                    <button
                      key={id}
                      type="button"
                      className={style.gif}
                      aria-label={title}
                      onClick={() => {
                        close()
                        onChoose({ id, url, title, width, height })
                      }}
                    >
                      <img
                        src={(images.fixed_height_small ?? images.preview ?? images.original).url}
                        alt=""
                        loading="lazy"
                        referrerPolicy="no-referrer"
                      />
                    </button>
                  )
                })}
              </div>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
