import type { Recording } from './recording.ts'

export const privacy: Recording = async (recorder, { ines }) => {
  const { anonymous } = recorder
  const lena = await recorder.person({ username: 'lena', displayName: 'Lena Brandt' })
  const { data } = await lena.show().privacy.requestExport()
  await recorder.runPendingJobs()
  await lena.show().privacy.exports()
  await lena.show().privacy.export({ export_id: data.id })
  await ines.show().privacy.exportMember({ user_id: lena.id })
  await recorder.runPendingJobs()
  await ines.show().privacy.deleteMember({ user_id: lena.id, content: 'remove' })

  await anonymous.api.auth.register({
    username: 'otto',
    email: 'otto@example.org',
    password: 'Quiet-river-7431',
    display_name: 'Otto Weiss',
  })
  let nonce: string | null = null
  const browser = recorder.browser(() => nonce)
  nonce = (await browser.api.auth.login({ login: 'otto', password: 'Quiet-river-7431' })).nonce
  await browser.show().privacy.deleteAccount({ current_password: 'Quiet-river-7431', content: 'anonymise' })
}
