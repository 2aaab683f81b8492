import { hash } from 'node:crypto'
import { api, type Route } from '@lyceum/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWorld, type World } from '#test/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ env: { LYCEUM_API_ROOT: '/community/v2' } })
})
afterAll(() => world.close())

const inside = (html: string, tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''

test.each(['/setup', '/forgot-password', '/reset-password'])(
  '%s only runs its own script and style, and posts to an operation that accepts its fields',
  async (path) => {
    const answer = await world.request('GET', `/${path}?token=x`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
    const source = (tag: string) => `'sha256-${hash('sha256', inside(answer.text, tag), 'base64')}'`
    expect(answer.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src ${source('script')}; style-src ${source('style')}; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
    )
    expect(answer.text.match(/<(script|style)/g)).toHaveLength(2)

    const operation = /data-operation="([^"]+)"/.exec(answer.text)?.[1] ?? ''
    expect(operation).toMatch(/^\/community\/v2\/auth\//)
    const route = Object.values<Route>(api.auth).find(({ path }) => operation.endsWith(path))
    const names = Object.keys(route?.body?.properties ?? {})
    for (const [, name] of answer.text.matchAll(/<input [^>]*name="([^"]+)"/g)) expect(names).toContain(name)
    const posted = await world.request('POST', `/${operation}`, {})
    expect(posted.body.code).toBe('missing_required_field')
  },
)
