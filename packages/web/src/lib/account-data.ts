import { BASE_PATH } from './base-path.ts'

/** Settings of this device. Everything else in the browser's storage belongs to an account. */
const DEVICE_KEYS = ['theme', 'language', 'keys', 'composer-markdown'] as const
/** Storage key of the account that owns the stored data. */
const OWNER = 'account'
/** Set until the page after sign-out has loaded, because the old page may still write to the storage while it unloads. */
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

/** ID of the account this page shows, or null if nobody is signed in. */
let shown: string | null = null
let removePage = (): void => {}

/** Deletes an account's data from the browser. The service worker caches only the app's static files, which are kept. */
export const clearAccountData = async (): Promise<void> => {
  shown = null
  clearStorage()
  // Notifies other tabs of the sign-out.
  localStorage.setItem(OWNER, '')
  await Promise.allSettled([deleteDatabases(), endPush()])
}

/** Reloads the app after sign-out, so that nothing stays in memory. */
export const leaveSignedOut = async (): Promise<void> => {
  await clearAccountData()
  localStorage.setItem(SIGNED_OUT, 'yes')
  location.replace(`${BASE_PATH}/sign-in`)
}

/** Call before the app starts. */
export const finishSigningOut = (): void => {
  if (localStorage.getItem(SIGNED_OUT) !== null) clearStorage()
}

/**
 * Leaves a page whose account is signed out. The app is unmounted first, so that it shows and stores nothing more and does not ask to stay.
 */
const leave = (): void => {
  removePage()
  location.replace(`${BASE_PATH}/sign-in`)
}

/**
 * Leaves the page when its account signs out or another account signs in in another tab, also when the page is restored from the
 * back/forward cache. `remove` unmounts the app.
 */
export const watchAccount = (remove: () => void): void => {
  removePage = remove
  const look = () => {
    if (shown !== null && localStorage.getItem(OWNER) !== shown) leave()
  }
  // Only this key: the browser also fires the event in this page when the server sends Clear-Site-Data.
  addEventListener('storage', ({ key }) => key === OWNER && look())
  addEventListener('pageshow', look)
}

/** Whether the page still shows this account; leaves the page if not. */
export const isCurrentAccount = (userId: number): boolean => {
  const stays = shown === String(userId)
  if (!stays) leave()
  return stays
}

/** Clears the data of another account whose session ended without signing out. The same account keeps its drafts. */
export const claimStorage = async (userId: number): Promise<void> => {
  const account = String(userId)
  const owner = localStorage.getItem(OWNER)
  if (owner !== account) {
    if (owner !== null) await clearAccountData()
    localStorage.setItem(OWNER, account)
  }
  shown = account
}
