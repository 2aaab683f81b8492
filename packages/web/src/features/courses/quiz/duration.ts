import { useTranslation } from 'react-i18next'

/** “5 minutes” or “30 seconds”. */
export const useSpan = () => {
  const { t } = useTranslation('courses')
  return (seconds: number) => {
    if (seconds < 60) return t('span.seconds', { count: seconds })
    if (seconds < 3600) return t('span.minutes', { count: Math.round(seconds / 60) })
    const minutes = Math.round((seconds % 3600) / 60)
    const hours = t('span.hours', { count: Math.floor(seconds / 3600) })
    return minutes > 0 ? `${hours} ${t('span.minutes', { count: minutes })}` : hours
  }
}
