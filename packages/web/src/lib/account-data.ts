/** Preferences of this device. Everything else that the app stores in the browser belongs to an account. */
const DEVICE_KEYS = ['theme', 'language', 'keys', 'composer-markdown'] as const
/** Whose data the browser's storage holds. */
const OWNER = 'account'
/** Set until the page after signing out has loaded: what the former page writes while it is left goes, too. */
const SIGNED_OUT = 'signed-out'

const clearStorage = (): void => {
  const device = DEVICE_KEYS.map((key) => [key, localStorage.getItem(key)] as const)
  localStorage.clear()
  sessionStorage.clear()
  for (const [key, value] of device) if (value !== null) localStorage.setItem(key, value)
}

const deleteDatabases = async (): Promise<void> => {
  for (const { name } of (await indexedDB.databases?.()) ?? []) if (name) indexedDB.deleteDatabase(name)
}

const endPush = async (): Promise<void> => {
  const worker = await navigator.serviceWorker?.getRegistration()
  await (await worker?.pushManager?.getSubscription())?.unsubscribe()
}

/** Whose account this page shows; null while it shows nobody's. */
let shown: string | null = null
let removePage = (): void => {}

/** Removes what the browser holds of an account. The service worker caches nothing but the app's own files, which stay. */
export const clearAccountData = async (): Promise<void> => {
  shown = null
  clearStorage()
  // Tells other tabs that the account is gone.
  localStorage.setItem(OWNER, '')
  await Promise.allSettled([deleteDatabases(), endPush()])
}

/** Leaves the app after signing out by loading it anew, so that nothing stays in memory either. */
export const leaveSignedOut = async (): Promise<void> => {
  await clearAccountData()
  localStorage.setItem(SIGNED_OUT, 'yes')
  location.replace('/sign-in')
}

/** To be called before the app starts. */
export const finishSigningOut = (): void => {
  if (localStorage.getItem(SIGNED_OUT) !== null) clearStorage()
}

/** Leaves a page whose account is not signed in any more. Removed first, it shows nothing, stores nothing and does not ask to stay. */
const leave = (): void => {
  removePage()
  location.replace('/sign-in')
}

/**
 * Leaves the page once its account was signed out, or another one has signed in, in another tab; also when the browser brings the page back from
 * memory. `remove` takes the page away.
 */
export const watchAccount = (remove: () => void): void => {
  removePage = remove
  const look = () => {
    if (shown !== null && localStorage.getItem(OWNER) !== shown) leave()
  }
  // Not when everything is cleared: the browser does that in this page, too, when the server asks for it.
  addEventListener('storage', ({ key }) => key === OWNER && look())
  addEventListener('pageshow', look)
}

/** Whether that is the account which this page shows; the page is left where it is another. */
export const staysWith = (userId: number): boolean => {
  const stays = shown === String(userId)
  if (!stays) leave()
  return stays
}

/** Clears what another account left behind when its session ended without signing out; the same account finds its drafts again. */
export const claimStorage = async (userId: number): Promise<void> => {
  const account = String(userId)
  const owner = localStorage.getItem(OWNER)
  if (owner !== account) {
    if (owner !== null) await clearAccountData()
    localStorage.setItem(OWNER, account)
  }
  shown = account
}
