const PASSWORD = 'Quiet-river-7431'
const MESSAGE = 'The first post'

/** Does what an administrator does first: opens the setup link, creates the account, signs in and posts. Throws where something is missing. */
export const useCommunity = async (origin: string, setupLink: string): Promise<void> => {
  let session: Record<string, string> = {}
  const call = async <T>(method: string, path: string, body?: object): Promise<T & { readonly headers: Headers }> => {
    const response = await fetch(`${origin}/api/v2${path}`, {
      method,
      headers: { ...session, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { ...(JSON.parse(text) as T), headers: response.headers }
  }

  const { pathname, search, searchParams } = new URL(setupLink)
  const page = await (await fetch(origin + pathname + search, { headers: { accept: 'text/html' } })).text()
  const program = /<script type="module"[^>]* src="([^"]+\.js)"/.exec(page)?.[1]
  if (!program) throw new Error(`the setup page does not load the web app: ${page.slice(0, 500)}`)
  const script = await fetch(new URL(program, origin))
  if (!script.headers.get('content-type')?.includes('javascript')) throw new Error(`${program}: ${script.status}`)

  const account = { username: 'ana', email: 'ana@example.org', password: PASSWORD }
  await call('POST', '/auth/setup', { token: searchParams.get('token'), ...account })
  const { nonce, headers } = await call<{ nonce: string }>('POST', '/auth/login', { login: 'ana', password: PASSWORD })
  session = { cookie: headers.getSetCookie()[0]?.split(';', 1)[0] ?? '', 'x-lyceum-nonce': nonce }
  await call('POST', '/feeds', { message: MESSAGE })
  const { feeds } = await call<{ feeds: { data: { message: string }[] } }>('GET', '/feeds')
  if (feeds.data[0]?.message !== MESSAGE) throw new Error(`the post is not in the list: ${JSON.stringify(feeds)}`)
}
