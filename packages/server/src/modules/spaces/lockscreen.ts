import { render } from '@lyceum/content'
import { type api, type BodyOf, defaultsOf, type Infer, Lockscreen, LockscreenSection } from '@lyceum/contract'
import { checkAddress, checkFree } from '../../core/validate-text.ts'
import type { SpaceAbilities, SpaceFor } from './access.ts'
import { readSettings } from './settings.ts'

type Section = Infer<typeof LockscreenSection>
type Config = Infer<typeof Lockscreen>
type Input = BodyOf<typeof api.spaces.saveLockscreens>

interface Stored {
  readonly config: Config
  readonly sections: readonly Section[]
}

const DEFAULT_CONFIG = { ...defaultsOf(Lockscreen), enabled: false, conditions: {} } as unknown as Config
const DEFAULT_SECTION = defaultsOf(LockscreenSection) as unknown as Section
const EMPTY: Stored = { config: DEFAULT_CONFIG, sections: [] }

const parse = (stored: string): Stored => (JSON.parse(stored) as Stored | null) ?? EMPTY

/** Without sections, the lock screen shows its message and button as one section. */
const sectionFromConfig = ({ message, button_text, button_url }: Config): Section => ({
  ...DEFAULT_SECTION,
  name: 'action',
  description: message,
  button_text,
  button_link: button_url,
})

const isOn = ({ lockscreen, settings }: Pick<SpaceFor, 'lockscreen' | 'settings'>): boolean =>
  readSettings(settings).custom_lock_screen === 'yes' || parse(lockscreen).config.enabled

const isLockedOut = ({ privacy }: Pick<SpaceFor, 'privacy'>, { read }: Pick<SpaceAbilities, 'read'>): boolean =>
  privacy === 'private' && !read

const isRelevant = (space: Pick<SpaceFor, 'privacy'>, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): boolean =>
  abilities.manage || isLockedOut(space, abilities)

/** Whether the lock screen is enabled, as visible to managers and to members who are locked out. */
export const lockscreenIsOn = (space: SpaceFor, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): boolean =>
  isRelevant(space, abilities) && isOn(space)

/**
 * Sections of the lock screen, in order, for managers and for members who are locked out. Client HTML is sanitized on output. Only managers
 * get hidden sections and disabled lock screens.
 */
export const lockscreenSections = (space: SpaceFor, abilities: Pick<SpaceAbilities, 'manage' | 'read'>): Section[] => {
  const { manage } = abilities
  if (!isRelevant(space, abilities) || !(manage || isOn(space))) return []
  const { config, sections } = parse(space.lockscreen)
  if (sections.length === 0) return config.enabled ? [sectionFromConfig(config)] : []
  const shown = manage ? sections : sections.filter((section) => !section.hidden)
  return shown.map((section) => ({ ...section, content: section.content && render(section.content, 'html') }))
}

/** Merges the input into the stored lock screen. Returns the stored form and the config. @throws invalid_url, invalid_data */
export const mergeLockscreen = (stored: string, { lockscreen: sections, ...input }: Input): { stored: string; config: Config } => {
  checkAddress(input.button_url, 'button_url')
  checkFree(input.conditions, 'conditions')
  for (const [i, section] of (sections ?? []).entries()) {
    checkAddress(section.button_link, `lockscreen.${i}.button_link`)
    checkAddress(section.background_image, `lockscreen.${i}.background_image`)
  }
  const before = parse(stored)
  const config: Config = { ...before.config, ...input }
  const after: Stored = { config, sections: sections?.map((section) => ({ ...DEFAULT_SECTION, ...section })) ?? before.sections }
  return { stored: JSON.stringify(after), config }
}

/** What someone who cannot read a private space sees instead of its content; null for those who can. */
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
