import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AuthLayout } from './auth-layout.tsx'

/** Shown if the token is missing from the URL. */
export const InvalidLink = ({ title, text }: { readonly title: string; readonly text: string }) => {
  const { t } = useTranslation('auth')
  return (
    <AuthLayout title={title} after={<Link to="/sign-in">{t('signIn')}</Link>}>
      <p>{text}</p>
    </AuthLayout>
  )
}
