import { setupLink } from '../../src/modules/accounts/index.ts'
import type { Person, Recorder } from './recorder.ts'

/** The first administrator uses the setup link of a fresh server. */
export const setUp = async (recorder: Recorder): Promise<Person> => {
  const link = new URL((await setupLink(recorder.app)) ?? '')
  const { data } = await recorder.anonymous.show().auth.setup({
    token: link.searchParams.get('token') ?? '',
    username: 'ines',
    email: 'ines@example.org',
    password: 'Quiet-river-7431',
    display_name: 'Inês Duarte',
  })
  return recorder.known(data.id, data.username)
}
