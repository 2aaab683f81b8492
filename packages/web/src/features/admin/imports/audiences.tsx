import { Globe, Lock, LockKeyhole } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { locale } from '../../../lib/i18n.ts'
import { FormSection } from '../form-kit.tsx'
import style from './imports.module.css'
import type { Run } from './queries.ts'

const ICONS = { public: Globe, private: Lock, secret: LockKeyhole } as const

interface Props {
  readonly audiences: NonNullable<Run['audiences']>
  readonly isDry: boolean
}

/** Who sees each space. */
export const Audiences = ({ audiences, isDry }: Props) => {
  const { t } = useTranslation('imports')
  const number = new Intl.NumberFormat(locale())
  return (
    <FormSection title={t(isDry ? 'audience.willSee' : 'audience.sees')} hint={t('audience.hint')}>
      <ul>
        {audiences.map(({ space, privacy, members, posts }, at) => {
          const Icon = ICONS[privacy]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: titles can be equal, and the list does not change
            <li key={at} className={style.row}>
              <Icon aria-hidden="true" />
              <span className={style.name}>
                <strong>{space}</strong>
                <span>{t(`audience.${privacy}`, { count: members, number: number.format(members) })}</span>
              </span>
              <span className={style.soft}>{t('audience.posts', { count: posts, number: number.format(posts) })}</span>
            </li>
          )
        })}
      </ul>
    </FormSection>
  )
}
