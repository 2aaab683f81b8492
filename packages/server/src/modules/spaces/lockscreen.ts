import { type api, type BodyOf, defaultsOf, type Infer, Lockscreen, LockscreenSection } from '@lyceum/contract'
import { render } from '../../content/render.ts'
import { checkAddress, checkFree } from '../../content/validate.ts'
import type { SpaceAbilities, SpaceFor } from './access.ts'
import { readSettings } from './settings.ts'

type Section = Infer<typeof LockscreenSection>
type Config = Infer<typeof Lockscreen>
type Input = BodyOf<typeof api.spaces.saveLockscreens>

interface Stored {
  readonly config: Config
  readonly sections: readonly Section[]
}

const STANDARD = { ...defaultsOf(Lockscreen), enabled: false, conditions: {} } as unknown as Config
const PLAIN = defaultsOf(LockscreenSection) as unknown as Section
const NONE: Stored = { config: STANDARD, sections: [] }

const parse = (stored: string): Stored => (JSON.parse(stored) as Stored | null) ?? NONE

/** A lock screen that was set without sections of its own shows its message and its button. */
const fromConfig = ({ message, button_text, button_url }: Config): Section => ({
  ...PLAIN,
  name: 'action',
  description: message,
  button_text,
  button_link: button_url,
})

/** Whether a lock screen was set up and is on. */
const isOn = ({ lockscreen, settings }: Pick<SpaceFor, 'lockscreen' | 'settings'>): boolean =>
  readSettings(settings).custom_lock_screen === 'yes' || parse(lockscreen).config.enabled

const isLockedOut = ({ privacy }: Pick<SpaceFor, 'privacy'>, { read }: Pick<SpaceAbilities, 'read'>): boolean =>
  privacy === 'private' && !read

const concerns = (space: Pick<SpaceFor, 'privacy'>, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): boolean =>
  abilities.manage || isLockedOut(space, abilities)

/** Whether it is on, for those who run the space and for those whom it locks out. */
export const lockscreenIsOn = (space: SpaceFor, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): boolean =>
  concerns(space, abilities) && isOn(space)

/**
 * What stands on the lock screen, in order, for those who run the space and for those whom it locks out; client HTML is sanitised on its way
 * out. Hidden sections, and one that is off, are for those who run the space.
 */
export const lockscreenSections = (space: SpaceFor, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): Section[] => {
  const { manage } = abilities
  if (!concerns(space, abilities) || !(manage || isOn(space))) return []
  const { config, sections } = parse(space.lockscreen)
  if (sections.length === 0) return config.enabled ? [fromConfig(config)] : []
  const shown = manage ? sections : sections.filter((section) => !section.hidden)
  return shown.map((section) => ({ ...section, content: section.content && render(section.content, 'html') }))
}

/**
 * The stored form after a change, and the lock screen as it is answered.
 * @throws invalid_url, invalid_data
 */
export const mergeLockscreen = (stored: string, { lockscreen: sections, ...input }: Input): { stored: string; config: Config } => {
  checkAddress(input.button_url, 'button_url')
  checkFree(input.conditions, 'conditions')
  for (const [i, section] of (sections ?? []).entries()) {
    checkAddress(section.button_link, `lockscreen.${i}.button_link`)
    checkAddress(section.background_image, `lockscreen.${i}.background_image`)
  }
  const before = parse(stored)
  const config: Config = { ...before.config, ...input }
  const after: Stored = { config, sections: sections?.map((section) => ({ ...PLAIN, ...section })) ?? before.sections }
  return { stored: JSON.stringify(after), config }
}

/** What an outsider of a private space is shown instead of its content; null for everybody who can read it. */
export const lockscreenConfig = (space: SpaceFor, abilities: SpaceAbilities) => {
  if (!isLockedOut(space, abilities)) return null
  const settings = readSettings(space.settings)
  return {
    is_pending: space.my_status === 'pending',
    showCustom: isOn(space),
    showPaywalls: settings.show_paywalls === 'yes',
    showWelcomeBanner: false,
    canSendRequest: settings.can_request_join === 'yes' && space.my_status === null,
    lockScreen: lockscreenSections(space, abilities),
    redirect_url: settings.custom_lock_screen === 'redirect' ? settings.onboard_redirect_url : '',
  }
}
