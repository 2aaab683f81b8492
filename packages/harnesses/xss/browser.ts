import { type BrowserContext, chromium, type Page, type Route } from 'playwright-core'
import { findHeadlessShell } from '#test/services/programs.ts'
import { payloadOf } from '#test/xss-payloads/index.ts'
import { IN_PAGE } from './in-page.ts'

/** How a web app inserts a value into a page. */
export type Kind = 'html' | 'text' | 'address' | 'drawing' | 'style'

/** A value that a response shows. */
export interface Shown {
  readonly kind: Kind
  readonly value: string
  /** Where it was first found. */
  readonly from: string
}

/** A complete page or mail from the server. */
export interface Sent {
  readonly from: string
  readonly html: string
  /** Its content security policy; null: none. */
  readonly policy: string | null
  /** Its URL, including what a script could read from it. */
  readonly url?: string
}

/** Script that ran or could have run, or a request that was sent. */
export interface Hit {
  readonly what: string
  readonly from: string
  /** The value, or the payload it comes from. */
  readonly of: string
}

type Told = readonly [what: string, detail: string, item: string]
interface Served {
  readonly html: string
  readonly policy: string | null
}
interface Wrong {
  readonly index: number
  readonly place: string
  readonly found: string
}

const AT_ONCE = 250
const SITE = 'https://content.example/'
const EMPTY = '<!doctype html><html><head><meta charset="utf-8"></head><body></body></html>'

/** Members' content may contain external pictures. */
const isPicture = (type: string, url: string) => type === 'image' && /^https?:/.test(url)
const isBlockedPicture = ([what, detail]: Told) => what === 'violation' && /^img-src https?:/.test(detail)

const expression = (name: string, argument: unknown = null) => `window.__xss.${name}(${JSON.stringify(argument)})`

/** A browser that opens the content. Every request is answered or refused locally: nothing leaves this process. */
export interface Trial {
  /** Inserts values into empty pages, with or without a policy, and interacts with every element. */
  fragments(shown: readonly Shown[], policy: string | null): Promise<Hit[]>
  /** Inserts HTML into page sources, so that it is parsed as part of the page rather than inserted by a script. */
  written(shown: readonly Shown[], policy: string | null): Promise<Hit[]>
  /** Opens pages with or without their own policies. */
  pages(sent: readonly Sent[], withPolicy: boolean): Promise<Hit[]>
  /** HTML whose DOM in the browser differs from the given tree. */
  trees(values: readonly { readonly value: string; readonly tree: string }[]): Promise<Wrong[]>
  close(): Promise<void>
}

export const startTrial = async (): Promise<Trial> => {
  const browser = await chromium.launch({ executablePath: findHeadlessShell(), args: ['--no-sandbox', '--disable-gpu'] })
  const context: BrowserContext = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false })
  const served = new Map<string, Served>()
  let told: Told[] = []
  let made = 0
  /** The origin of the page itself, from which it may load more. */
  let home = ''

  const note = (what: string, detail: string) => told.push([what, detail, ''])

  await context.addInitScript(IN_PAGE)
  await context.route('**/*', async (route: Route) => {
    const request = route.request()
    const page = request.isNavigationRequest() ? served.get(request.url()) : undefined
    if (page) {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        ...(page.policy !== null && { 'content-security-policy': page.policy }),
      }
      return route.fulfill({ status: 200, headers, body: page.html })
    }
    if (home && request.url().startsWith(home) && !request.isNavigationRequest()) return route.continue()
    if (!isPicture(request.resourceType(), request.url())) note('asked', `${request.resourceType()} ${request.url().slice(0, 120)}`)
    return route.abort()
  })
  const page: Page = await context.newPage()
  page.on('console', (message) => {
    const text = message.text()
    if (text.startsWith('xss ')) told.push(JSON.parse(text.slice(4)) as Told)
  })
  page.on('dialog', (dialog) => {
    note('ran', `a dialog: ${dialog.message()}`)
    dialog.dismiss().catch(() => {})
  })
  page.on('popup', (popup) => {
    note('opened', popup.url().slice(0, 120))
    popup.close().catch(() => {})
  })

  const open = async ({ html, policy }: Served, url?: string) => {
    made += 1
    const address = url ?? `${SITE}${made}`
    home = url ? `${new URL(url).origin}/` : ''
    served.clear()
    served.set(address, { html, policy })
    told = []
    await page.goto(address, { waitUntil: 'load' })
    return address
  }
  const run = (name: string, argument?: unknown) =>
    page.evaluate(expression(name, argument)).catch((error: Error) => note('broke off', error.message.split('\n', 1)[0] as string))
  /** Interacts with every element and returns what was reported since the page was opened. */
  const takeTold = async (address: string): Promise<Told[]> => {
    await run('act')
    await run('settle')
    if (page.url() !== address) note('navigated', page.url().slice(0, 120))
    return told.filter((one) => !isBlockedPicture(one))
  }

  const payloadIn = (text: string) => {
    const number = /alert\((\d+)\)/.exec(text)?.[1]
    const payload = number ? payloadOf(Number(number)) : undefined
    return payload ? `${payload.family} ${payload.number}: ${payload.text}` : ''
  }
  const hitOf = ([what, detail, item]: Told, shown: readonly Shown[]): Hit => {
    const call = /alert\(\d+\)/.exec(detail)?.[0]
    const one = item === '' ? shown.find(({ value }) => call && value.includes(call)) : shown[Number(item)]
    return { what: `${what} ${detail}`, from: one?.from ?? '', of: one?.value.slice(0, 400) ?? payloadIn(detail) }
  }

  const tryPut = async (shown: readonly Shown[], policy: string | null): Promise<Told[]> => {
    const address = await open({ html: EMPTY, policy })
    await run(
      'put',
      shown.map(({ kind, value }, item) => ({ item, kind, value: value.toWellFormed() })),
    )
    return takeTold(address)
  }
  const tryWritten = async (shown: readonly Shown[], policy: string | null): Promise<Told[]> => {
    const body = shown.map(({ value }, item) => `<section data-item="${item}">${value.toWellFormed()}</section>`)
    const address = await open({ html: EMPTY.replace('<body>', () => `<body>${body.join('\n')}`), policy })
    await run('inspect')
    return takeTold(address)
  }
  /** In batches; a hit that cannot be attributed to one value is located by bisection. */
  const portions = async (shown: readonly Shown[], policy: string | null, once: typeof tryPut): Promise<Hit[]> => {
    const hits: Hit[] = []
    for (let from = 0; from < shown.length; from += AT_ONCE) {
      const portion = shown.slice(from, from + AT_ONCE)
      const found = (await once(portion, policy)).map((one) => hitOf(one, portion))
      const astray = found.find((hit) => hit.from === '')
      hits.push(...found.filter((hit) => hit.from !== ''))
      if (!astray) continue
      let part = portion
      while (part.length > 1) {
        const half = part.slice(0, part.length >> 1)
        part = (await once(half, policy)).length > 0 ? half : part.slice(part.length >> 1)
      }
      hits.push({ ...astray, from: part[0]?.from ?? '', of: part[0]?.value.slice(0, 400) ?? '' })
    }
    return hits
  }

  return {
    fragments: (shown, policy) => portions(shown, policy, tryPut),
    written: (shown, policy) => portions(shown, policy, tryWritten),
    pages: async (sent, withPolicy) => {
      const hits: Hit[] = []
      for (const { from, html, policy, url } of sent) {
        const address = await open({ html: html.toWellFormed(), policy: withPolicy ? policy : null }, url)
        hits.push(...(await takeTold(address)).map(([what, detail]) => ({ what: `${what} ${detail}`, from, of: payloadIn(detail) })))
      }
      return hits
    },
    trees: async (values) => {
      const wrong: Wrong[] = []
      await open({ html: EMPTY, policy: null })
      for (let from = 0; from < values.length; from += AT_ONCE) {
        const found = (await page.evaluate(expression('trees', values.slice(from, from + AT_ONCE)))) as Wrong[]
        wrong.push(...found.map((one) => ({ ...one, index: one.index + from })))
      }
      return wrong
    },
    close: () => browser.close(),
  }
}
