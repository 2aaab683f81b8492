import { setupLink } from '../../src/modules/accounts/index.ts'
import type { Person, Stage } from './stage.ts'

/** The first administrator uses the setup link of a fresh server. */
export const setUp = async (stage: Stage): Promise<Person> => {
  const link = new URL((await setupLink(stage.app)) ?? '')
  const { data } = await stage.anonymous.show().auth.setup({
    token: link.searchParams.get('token') ?? '',
    username: 'ines',
    email: 'ines@example.org',
    password: 'Quiet-river-7431',
    display_name: 'Inês Duarte',
  })
  return stage.known(data.id, data.username)
}
