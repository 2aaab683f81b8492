import { Check } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../../lib/client.ts'
import { optimistic } from '../../../lib/optimistic.ts'
import { fullDateTime } from '../../../lib/time.ts'
import { Button } from '../../../ui/button.tsx'
import { changeFeed, type Feed } from '../queries.ts'
import type { SurveyView } from './meta.ts'
import style from './survey.module.css'

const VotersDialog = lazy(() => import('./voters-dialog.tsx').then(({ VotersDialog: component }) => ({ default: component })))

/** Votes and shows the counts from the response. */
const vote = (feed: Feed, survey: SurveyView, slugs: readonly string[]) => {
  const show = (change: Partial<SurveyView>) =>
    changeFeed(feed.id, (before) => ({ ...before, meta: { ...before.meta, survey: { ...survey, ...change } } }))
  const undo = show({ voted: slugs })
  return optimistic(undo, async () => {
    const { results } = await client.surveys.vote({ feed_id: feed.id, option_slug: survey.allow_multiple ? [...slugs] : (slugs[0] ?? '') })
    show({ ...results, voted: slugs })
  })
}

/** A survey. The vote can be changed until the survey closes. */
export const Survey = ({ feed, survey, mayVote }: { readonly feed: Feed; readonly survey: SurveyView; readonly mayVote: boolean }) => {
  const { t } = useTranslation('feeds')
  const [chosen, setChosen] = useState<readonly string[]>(survey.voted)
  const [asking, setAsking] = useState<string>()
  const [voting, setVoting] = useState(false)
  const open = !survey.is_closed && mayVote
  const seesResults = survey.total_votes !== null
  const send = async (slugs: readonly string[]) => {
    setVoting(true)
    if (!(await vote(feed, survey, slugs))) setChosen(survey.voted)
    setVoting(false)
  }
  const choose = (slug: string) => {
    if (!survey.allow_multiple) {
      setChosen([slug])
      void send([slug])
    } else setChosen(chosen.includes(slug) ? chosen.filter((other) => other !== slug) : [...chosen, slug])
  }
  const unsent = survey.allow_multiple && [...chosen].sort().join() !== [...survey.voted].sort().join()
  return (
    <fieldset className={style.survey}>
      <legend className={style.question}>{survey.question}</legend>
      <ul className={style.options}>
        {survey.options.map(({ slug, label, votes, percentage }) => (
          <li key={slug} className={style.option} data-chosen={chosen.includes(slug) || undefined}>
            {percentage !== null && <progress className={style.share} max={100} value={percentage} aria-hidden="true" />}
            <label className={style.label}>
              <input
                type={survey.allow_multiple ? 'checkbox' : 'radio'}
                name={`survey-${feed.id}`}
                checked={chosen.includes(slug)}
                disabled={!open || voting}
                onChange={() => choose(slug)}
              />
              <span>{label}</span>
              {survey.voted.includes(slug) && <Check aria-label={t('survey.yourVote')} />}
            </label>
            {seesResults && votes !== null && percentage !== null && (
              <button type="button" className={style.count} onClick={() => setAsking(slug)}>
                {t('survey.percent', { percent: Math.round(percentage) })}{' '}
                <span className="visually-hidden">{t('survey.voters', { count: votes, option: label })}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {unsent && open && (
        <Button kind="primary" className={style.send ?? ''} busy={voting} onClick={() => send(chosen)} disabled={chosen.length === 0}>
          {t('survey.vote')}
        </Button>
      )}
      <p className={style.about} aria-live="polite">
        {[
          seesResults
            ? t('survey.votes', { count: survey.total_votes ?? 0 })
            : t(`survey.hidden.${survey.show_results === 'never' ? 'never' : 'after_vote'}`),
          survey.allow_multiple && open ? t('survey.multiple') : '',
          survey.is_closed ? t('survey.closed') : survey.end_date ? t('survey.ends', { when: fullDateTime(survey.end_date) }) : '',
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {asking && (
        <Suspense>
          <VotersDialog
            feedId={feed.id}
            option={asking}
            label={survey.options.find(({ slug }) => slug === asking)?.label ?? ''}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
