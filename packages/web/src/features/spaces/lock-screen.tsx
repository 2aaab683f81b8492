import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { pictureUrl } from '../../lib/pictures.ts'
import { Card } from '../../ui/card.tsx'
import { HtmlContent } from '../../ui/html-content.tsx'
import { MembershipButton } from './membership-button.tsx'
import type { SpaceDetail } from './queries.ts'
import style from './space-page.module.css'

/** What non-members see of a private space, and how to join it. */
export const LockScreen = ({ space }: { readonly space: SpaceDetail }) => {
  const { t } = useTranslation('spaces')
  const sections = space.lockscreen_config?.lockScreen.filter(({ hidden }) => !hidden) ?? []
  const banned = space.space_pivot?.status === 'banned'
  return (
    <Card className={style.lock}>
      <Lock aria-hidden="true" />
      <h2>{t(banned ? 'lock.banned' : space.permissions.is_pending ? 'lock.pending' : 'lock.title')}</h2>
      {space.description && <HtmlContent html={space.description_rendered} />}
      {sections.map((section, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sections have no ID and keep their order
        <div key={place} className={style.section}>
          {section.background_image && <img src={pictureUrl(section.background_image)} alt="" />}
          {section.heading && <h3>{section.heading}</h3>}
          {section.description && <p>{section.description}</p>}
          {section.content && <HtmlContent html={section.content} />}
          {section.button_text && section.button_link && (
            <a href={section.button_link} {...(section.new_tab === 'yes' && { target: '_blank', rel: 'noreferrer' })}>
              {section.button_text}
            </a>
          )}
        </div>
      ))}
      {!banned && <p>{t(space.permissions.is_pending ? 'lock.pendingText' : 'lock.text')}</p>}
      <MembershipButton space={space} />
    </Card>
  )
}
