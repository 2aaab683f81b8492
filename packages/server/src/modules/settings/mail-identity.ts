import type { Services } from '../../platform/context.ts'
import type { Brand } from '../../platform/mail/template.ts'
import type { Sender } from '../../platform/mail/transport.ts'
import { readSettings } from './store.ts'

/** Whose mail it is: how the community looks in it, and who sends it where the settings say so. */
export const mailIdentity = async ({ database, origin }: Services): Promise<{ readonly brand: Brand; readonly sender: Sender }> => {
  const { site_name, primary_color, from_name, from_email } = await readSettings(database.read, [
    'site_name',
    'primary_color',
    'from_name',
    'from_email',
  ])
  return {
    brand: { name: site_name, color: primary_color, url: origin() },
    sender: { ...(from_name && { name: from_name }), ...(from_email && { address: from_email }) },
  }
}
