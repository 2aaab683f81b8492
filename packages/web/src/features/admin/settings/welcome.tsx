import type { Answers } from '@lyceum/sdk'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldError } from '../../../lib/api-form.ts'
import { client } from '../../../lib/client.ts'
import { EntryList, type Keyed, keyed, unkeyed } from '../../../ui/entry-list.tsx'
import { Check, Choice, TextArea, TextField } from '../../../ui/field.tsx'
import { FormSection } from '../form-kit.tsx'
import style from './settings.module.css'
import { SettingsPageForm } from './settings-form.tsx'

type Page = Answers['settingsPages']['banner']['settings']
type Way = Page['login']['ctaButtons'][number]
type Drafted<A> = Omit<A, 'ctaButtons'> & { readonly ctaButtons: readonly Keyed<Way>[] }
interface Draft {
  readonly login: Drafted<Page['login']>
  readonly logout: Drafted<Page['logout']>
}
type Common = Pick<Draft['login'], Extract<keyof Draft['login'], keyof Draft['logout']>>

const BLANK: Way = { label: '', link: '', type: 'primary', newTab: 'no' }
const LOOKS = { primary: 'primary', secondary: 'secondary', link: 'linkStyle' } as const
const yesNo = (on: boolean) => (on ? 'yes' : 'no')

const draftOf = ({ login, logout }: Page, before?: Draft): Draft => ({
  login: { ...login, ctaButtons: keyed(login.ctaButtons, before?.login.ctaButtons) },
  logout: { ...logout, ctaButtons: keyed(logout.ctaButtons, before?.logout.ctaButtons) },
})
const pageOf = ({ login, logout }: Draft): Page => ({
  login: { ...login, ctaButtons: unkeyed(login.ctaButtons) },
  logout: { ...logout, ctaButtons: unkeyed(logout.ctaButtons) },
})

/** URL errors are shown next to their fields, unless the field is not rendered. */
const shows = (field: string, page: Draft) => {
  const [side, name] = field.split('.')
  const { mediaType } = side === 'logout' ? page.logout : page.login
  if (name === 'bannerImage') return mediaType === 'image'
  if (name === 'bannerVideo') return mediaType === 'video'
  if (name === 'customUrl') return page.logout.useCustomUrl === 'yes'
  return field.endsWith('.link')
}

interface AudienceProps {
  readonly side: keyof Draft
  readonly banner: Common
  readonly wrong: FieldError | null
  readonly onChange: (part: Partial<Common>) => void
  readonly children: ReactNode
}

const Audience = ({ side, banner, wrong, onChange, children }: AudienceProps) => {
  const { t } = useTranslation('admin')
  const errorAt = (path: string) => (wrong?.field === `${side}.${path}` ? wrong.message : undefined)
  const media = banner.mediaType === 'video' ? 'bannerVideo' : 'bannerImage'
  return (
    <FormSection title={t(`welcomeBanner.${side}`)} hint={t(`welcomeBanner.${side}Hint`)}>
      <Check
        label={t('welcomeBanner.enabled')}
        checked={banner.enabled === 'yes'}
        onChange={(event) => onChange({ enabled: yesNo(event.currentTarget.checked) })}
      />
      <TextArea
        label={t('welcomeBanner.description')}
        hint={t('welcomeBanner.descriptionHint')}
        value={banner.description}
        maxLength={20_000}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <div className={style.media}>
        <Choice
          label={t('welcomeBanner.mediaType')}
          value={banner.mediaType}
          options={['image', 'video']}
          words={(kind) => t(`welcomeBanner.${kind}`)}
          onChoose={(mediaType) => onChange({ mediaType })}
        />
        <TextField
          label={t(`welcomeBanner.${media}`)}
          {...(media === 'bannerVideo' && { hint: t('welcomeBanner.bannerVideoHint') })}
          value={banner[media]}
          error={errorAt(media)}
          maxLength={2048}
          inputMode="url"
          onChange={(event) => onChange({ [media]: event.currentTarget.value.trim() })}
        />
      </div>
      {children}
      <h3>{t('welcomeBanner.buttons')}</h3>
      <EntryList
        look={style.entry}
        entries={banner.ctaButtons}
        blank={BLANK}
        most={5}
        add={t('welcomeBanner.addButton')}
        nameOf={({ label }) => label || t('welcomeBanner.newButton')}
        onChange={(ctaButtons) => onChange({ ctaButtons })}
      >
        {(way, change) => (
          <>
            <TextField
              label={t('welcomeBanner.label')}
              value={way.label}
              required
              maxLength={100}
              onChange={(event) => change({ label: event.currentTarget.value })}
            />
            <Choice
              label={t('welcomeBanner.type')}
              value={way.type}
              options={['primary', 'secondary', 'link']}
              words={(type) => t(`welcomeBanner.${LOOKS[type]}`)}
              onChoose={(type) => change({ type })}
            />
            <TextField
              label={t('welcomeBanner.link')}
              value={way.link}
              error={errorAt(`ctaButtons.${banner.ctaButtons.indexOf(way)}.link`)}
              required
              maxLength={2048}
              inputMode="url"
              placeholder={t('menus.addressHint')}
              onChange={(event) => change({ link: event.currentTarget.value.trim() })}
            />
            <div className={style.switches}>
              <Check
                label={t('menus.newTab')}
                checked={way.newTab === 'yes'}
                onChange={(event) => change({ newTab: yesNo(event.currentTarget.checked) })}
              />
            </div>
          </>
        )}
      </EntryList>
    </FormSection>
  )
}

/** Settings of the welcome banners for members and guests. */
export const WelcomePage = () => {
  const { t } = useTranslation('admin')
  return (
    <SettingsPageForm<Draft>
      area="welcome"
      read={async () => draftOf((await client.settingsPages.banner()).settings)}
      save={async (draft) => draftOf((await client.settingsPages.saveBanner({ settings: pageOf(draft) })).settings, draft)}
      shows={shows}
    >
      {({ login, logout }, change, wrong) => {
        const guests = (part: Partial<Draft['logout']>) => change({ logout: { ...logout, ...part } })
        return (
          <>
            <Audience side="login" banner={login} wrong={wrong} onChange={(part) => change({ login: { ...login, ...part } })}>
              <Check
                label={t('welcomeBanner.allowClose')}
                hint={t('welcomeBanner.allowCloseHint')}
                checked={login.allowClose === 'yes'}
                onChange={(event) => change({ login: { ...login, allowClose: yesNo(event.currentTarget.checked) } })}
              />
            </Audience>
            <Audience side="logout" banner={logout} wrong={wrong} onChange={guests}>
              <Check
                label={t('welcomeBanner.useCustomUrl')}
                checked={logout.useCustomUrl === 'yes'}
                onChange={(event) => guests({ useCustomUrl: yesNo(event.currentTarget.checked) })}
              />
              {logout.useCustomUrl === 'yes' && (
                <TextField
                  label={t('welcomeBanner.customUrl')}
                  value={logout.customUrl}
                  error={wrong?.field === 'logout.customUrl' ? wrong.message : undefined}
                  maxLength={2048}
                  inputMode="url"
                  onChange={(event) => guests({ customUrl: event.currentTarget.value.trim() })}
                />
              )}
            </Audience>
          </>
        )
      }}
    </SettingsPageForm>
  )
}
