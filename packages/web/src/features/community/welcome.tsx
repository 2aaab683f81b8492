import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMe } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import type { Welcome } from './queries.ts'
import { Banner } from './welcome-banner.tsx'

/** The members' welcome banner. A dismissed banner reappears when its content changes. */
export const WelcomeBanner = ({ banner }: { readonly banner: Welcome }) => {
  const { t } = useTranslation()
  const key = `welcome:${useMe().user_id}`
  const { mediaType, bannerImage, bannerVideo, description, allowClose } = banner
  const says = JSON.stringify([mediaType, bannerImage, bannerVideo, description])
  const [closed, setClosed] = useState(() => localStorage.getItem(key))
  if (allowClose === 'yes' && closed === says) return null
  const close = () => {
    localStorage.setItem(key, says)
    setClosed(says)
  }
  return (
    <Banner
      banner={banner}
      tools={
        allowClose === 'yes' && (
          <IconButton label={t('welcome.close')} onClick={close}>
            <X aria-hidden="true" />
          </IconButton>
        )
      }
    />
  )
}
