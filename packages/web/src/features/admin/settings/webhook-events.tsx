import { WEBHOOK_EVENTS } from '@lyceum/sdk/values'
import { useTranslation } from 'react-i18next'
import { Check } from '../../../ui/field.tsx'
import style from './settings.module.css'

type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** Event name prefixes of a group. */
const GROUPS = {
  posts: ['feed'],
  comments: ['comment'],
  reactions: ['reaction'],
  spaces: ['space'],
  members: ['user'],
  courses: ['course', 'lesson', 'quiz'],
  reports: ['report'],
  managers: ['manager'],
} as const
type Group = keyof typeof GROUPS

const eventsOf = (group: Group): readonly WebhookEvent[] =>
  WEBHOOK_EVENTS.filter((event) => GROUPS[group].some((about) => event.startsWith(`${about}.`)))

interface Props {
  readonly chosen: readonly WebhookEvent[]
  readonly onChoose: (events: WebhookEvent[]) => void
}

/** Checkboxes for all events by group, each with its label and technical name. */
export const WebhookEvents = ({ chosen, onChoose }: Props) => {
  const { t } = useTranslation('admin')
  return (
    <fieldset className={style.events}>
      <legend>{t('webhooks.events')}</legend>
      {(Object.keys(GROUPS) as Group[]).map((group) => (
        <fieldset key={group} className={style.event}>
          <legend>{t(`eventGroup.${group}`)}</legend>
          {eventsOf(group).map((name) => (
            <Check
              key={name}
              label={t(`event.${name}`)}
              hint={name}
              checked={chosen.includes(name)}
              onChange={(event) => onChoose(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
          ))}
        </fieldset>
      ))}
    </fieldset>
  )
}
