import { cssProblem, isHttpUrl } from '@lyceum/content'
import type { SettingSchemas, SettingValue } from '@lyceum/contract'
import { isMailAddress } from '@lyceum/mail/transport'
import { isTimeZone } from '../../util/time-zones.ts'

export const SITE_PATH = /^\/(?![/\\])[^\s\\]*$/
const address = (value: string) =>
  value === '' || isHttpUrl(value) || SITE_PATH.test(value) ? null : 'must be empty, a URL or a path on this site'
const mailAddress = (value: string) => (value === '' || isMailAddress(value) ? null : 'must be empty or an email address')
const timeZone = (value: string) => (isTimeZone(value) ? null : 'must be a time zone such as Europe/Berlin')

export type SettingKey = keyof SettingSchemas

/** Validation beyond the schemas: a description of the problem, or null. */
export const PROBLEMS: { readonly [K in SettingKey]?: (value: SettingValue<K>) => string | null } = {
  timezone: timeZone,
  admin_email: mailAddress,
  from_email: mailAddress,
  logo_url: address,
  favicon_url: address,
  custom_css: cssProblem,
}
