import { useTranslation } from 'react-i18next'

/** “5 minutes” or “30 seconds”. */
export const useDurationText = () => {
  const { t } = useTranslation('courses')
  return (seconds: number) => {
    if (seconds < 60) return t('duration.seconds', { count: seconds })
    if (seconds < 3600) return t('duration.minutes', { count: Math.round(seconds / 60) })
    const minutes = Math.round((seconds % 3600) / 60)
    const hours = t('duration.hours', { count: Math.floor(seconds / 3600) })
    return minutes > 0 ? `${hours} ${t('duration.minutes', { count: minutes })}` : hours
  }
}
