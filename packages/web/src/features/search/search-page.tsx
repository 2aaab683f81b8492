import { useNavigate, useSearch } from '@tanstack/react-router'
import { History, Search } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { MIN_QUERY_LENGTH } from './queries.ts'
import { clearRecentSearches, recentSearches, rememberSearch } from './recent-searches.ts'
import { Results } from './results.tsx'
import style from './search.module.css'

const PAUSE_MS = 300
/** After this pause a query counts as deliberate and is saved as a recent search. */
const MEANT_MS = 2000

/** Searches posts, members, spaces and courses. */
export const SearchPage = () => {
  const { t } = useTranslation('search')
  const me = useMe()
  const { q } = useSearch({ from: '/members/search' })
  const navigate = useNavigate({ from: '/search' })
  const [text, setText] = useState(q)
  const [recent, setRecent] = useState(() => recentSearches(me.user_id))
  const sought = q.trim()

  useEffect(() => setText(q), [q])
  useEffect(() => {
    if (text === q) return
    const timer = setTimeout(() => void navigate({ search: { q: text }, replace: true }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, q, navigate])
  useEffect(() => {
    if (sought.length < MIN_QUERY_LENGTH) return
    const timer = setTimeout(() => rememberSearch(me.user_id, sought), MEANT_MS)
    return () => clearTimeout(timer)
  }, [sought, me.user_id])

  const go = (next: string) => {
    if (next.trim().length >= MIN_QUERY_LENGTH) rememberSearch(me.user_id, next.trim())
    void navigate({ search: { q: next } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    go(text)
  }
  return (
    <div className={style.page}>
      <PageTitle>{t('title')}</PageTitle>
      <h1 className="visually-hidden">{t('title')}</h1>
      <search>
        <form className={style.form} onSubmit={submit}>
          <Search aria-hidden="true" />
          <input
            type="search"
            className={style.input}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            placeholder={t('hint')}
            aria-label={t('label')}
            maxLength={200}
            enterKeyHint="search"
            // biome-ignore lint/a11y/noAutofocus: users open this page to type a query
            autoFocus={q === ''}
          />
        </form>
      </search>
      {sought.length >= MIN_QUERY_LENGTH ? (
        <Results sought={sought} />
      ) : (
        <>
          {sought.length > 0 && <p className={style.soft}>{t('short')}</p>}
          {recent.length > 0 && (
            <section className={style.part} aria-labelledby="recent">
              <header className={style.head}>
                <h2 id="recent">{t('recent')}</h2>
                <Button
                  kind="quiet"
                  onClick={() => {
                    clearRecentSearches(me.user_id)
                    setRecent([])
                  }}
                >
                  {t('forget')}
                </Button>
              </header>
              <ul>
                {recent.map((words) => (
                  <li key={words}>
                    <button type="button" className={style.hit} onClick={() => go(words)}>
                      <History aria-hidden="true" /> {words}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </>
      )}
    </div>
  )
}
