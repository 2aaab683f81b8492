import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AuthFrame } from './auth-layout.tsx'

/** Shown if the token is missing from the URL. */
export const NoToken = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const { t } = useTranslation('auth')
  return (
    <AuthFrame title={title} after={<Link to="/sign-in">{t('signIn')}</Link>}>
      <p>{text}</p>
    </AuthFrame>
  )
}
