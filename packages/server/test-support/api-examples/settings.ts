import { makeVerifyLink } from '../../src/modules/accounts/index.ts'
import type { Person, Recorder } from './recorder.ts'
import type { Recording } from './recording.ts'

export const settings: Recording = async (recorder) => {
  await recorder.anonymous.show().settings.public()
}

/** Recorded last, so that no other example depends on the changed settings. */
export const settingsPages: Recording = async (recorder, { ines }) => {
  const { settings, settingsPages: pages } = ines.show()
  await settings.list()
  await settings.get({ key: 'timezone' })
  await settings.save({ site_description: 'A garden shared by the neighbourhood', timezone: 'Europe/Lisbon' })
  await settings.reset({ keys: ['timezone'] })
  await settings.features()
  await settings.saveFeatures({ gif_enabled: true, gif_api_key: 'key of the provider', gif_rating: 'pg' })
  await pages.general()
  await pages.saveGeneral({ settings: { site_title: 'Garden', disable_global_posts: 'no' } })
  await pages.email()
  await pages.saveEmail({ reply_to_email: 'desk@community.example', email_footer: 'The garden, 4 Mill Lane' })
  await pages.mailTexts()
  await pages.saveMailTexts({ welcome: { subject: 'Come in, {name}', intro: 'The gate of {community} is open.' } })
  await pages.banner()
  await pages.saveBanner({
    login: { enabled: 'yes', description: '**Welcome!**', ctaButtons: [{ label: 'First steps', link: '/spaces/start' }] },
  })
  await pages.welcomeBanner()
  await pages.auth()
  await pages.saveAuth({ login: { form: { title: 'Good to see you' } } })
  await pages.menu()
  await pages.saveMenu({ mainMenuItems: [{ slug: 'rules', title: 'House rules', permalink: '/spaces/start' }] })
  await pages.customization()
  await pages.saveCustomization({ default_theme_mode: 'dark' })
  await pages.colors()
  await pages.saveColors({ light_config: { body_bg: '#f7f9f4' } })
  await pages.privacy()
  await pages.savePrivacy({ show_last_activity: 'no' })
  await pages.snippets()
  await pages.saveSnippets({ custom_css: 'h1 { letter-spacing: 0 }' })
  await pages.followers()
  await pages.saveFollowers({ is_enabled: 'yes' })
  await pages.linkProviders()
  await pages.saveLinkProviders({ configs: ['instagram', 'youtube'] })
  await pages.storage()
  await pages.testStorage({})
  await register(recorder, ines)
}

/** Two registrations, waiting for confirmation and for approval. */
const register = async (recorder: Recorder, ines: Person) => {
  const join = (username: string) =>
    recorder.anonymous.api.auth.register({ username, email: `${username}@example.org`, password: 'Quiet-river-7431' })
  await ines.api.settings.save({ require_email_verification: true, approval_required: true })
  const [nuno, olga] = [await join('nuno'), await join('olga')]
  await recorder.anonymous.show().auth.resendVerification({ login: 'nuno' })
  const tokens = await recorder.app.write(null, async (ctx) => ({
    nuno: await makeVerifyLink(ctx.db, nuno.data.id, ctx.now, ''),
    olga: await makeVerifyLink(ctx.db, olga.data.id, ctx.now, ''),
  }))
  const tokenOf = ({ url }: { readonly url: string }) => url.split('token=')[1] ?? ''
  await recorder.anonymous.show().auth.verifyEmail({ token: tokenOf(tokens.nuno), password: 'Quiet-river-7431' })
  await recorder.anonymous.api.auth.verifyEmail({ token: tokenOf(tokens.olga), password: 'Quiet-river-7431' })
  await ines.show().registrations.list()
  await ines.show().registrations.approve({ user_id: nuno.data.id })
  await ines.api.settingsPages.savePrivacy({ can_customize_username: 'yes' })
  let nonce: string | null = null
  const browser = recorder.browser(() => nonce)
  nonce = (await browser.api.auth.login({ login: 'nuno', password: 'Quiet-river-7431' })).nonce
  await browser.show().account.changeUsername({ current_password: 'Quiet-river-7431', username: 'nuno_m' })
  await ines.show().registrations.reject({ user_id: olga.data.id, reason: 'The garden is full this year.' })
  await ines.api.settings.reset()
  await ines.api.settingsPages.savePrivacy({ show_last_activity: 'yes', can_customize_username: 'no' })
}
