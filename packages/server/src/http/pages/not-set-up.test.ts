import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@lyceum/sdk'
import { expect, inject, test } from 'vitest'
import { readyEnv } from '#test/command.ts'
import { refused } from '#test/world.ts'
import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { setupLink } from '../../modules/accounts/index.ts'

const PASSWORD = 'Quiet-river-7431'

test('until there is an administrator, pages lead to the set-up link and nobody can register', async () => {
  const web = mkdtempSync(join(inject('scratch'), 'web-'))
  writeFileSync(join(web, 'index.html'), 'the app')
  writeFileSync(join(web, 'icon.svg'), 'an icon')
  const config = readConfig({ ...(await readyEnv()), LYCEUM_PORT: '0' })
  const app = await createApp({ config, web, waitsForAdmin: true, passwordCost: 4 })
  const baseUrl = await app.listen()
  const page = async (path: string) =>
    (await fetch(new URL(path, baseUrl), { headers: { accept: path.includes('.') ? '*/*' : 'text/html' } })).text()
  const anonymous = createClient({ baseUrl })
  const register = () => anonymous.auth.register({ username: 'ben', email: 'ben@example.org', password: PASSWORD })
  const link = new URL((await setupLink(app)) ?? '')

  for (const path of ['/', '/sign-in', '/register', '/setups']) expect(await page(path)).toContain('Set up the first administrator')
  expect(await page(link.pathname + link.search)).toBe('the app')
  expect(await page('/icon.svg')).toBe('an icon')
  expect((await refused(register(), 403, 'registration_closed')).message).toBe('This community is not set up yet: it has no administrator.')

  const token = link.searchParams.get('token') ?? ''
  await anonymous.auth.setup({ token, username: 'ana', email: 'ana@example.org', password: PASSWORD })
  for (const path of ['/', '/sign-in']) expect(await page(path)).toBe('the app')
  expect((await register()).data.role).toBe('member')
  await app.close()
})
