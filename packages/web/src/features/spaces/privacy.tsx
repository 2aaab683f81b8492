import { EyeOff, Globe, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import style from './space-card.module.css'

const PICTURES = { public: Globe, private: Lock, secret: EyeOff } as const

/** Visibility of a space. */
export const Privacy = ({ privacy }: { readonly privacy: keyof typeof PICTURES }) => {
  const { t } = useTranslation('spaces')
  const Picture = PICTURES[privacy]
  return (
    <span className={style.fact}>
      <Picture aria-hidden="true" /> {t(`privacy.${privacy}`)}
    </span>
  )
}
