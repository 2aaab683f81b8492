import { client } from './client.ts'

const bytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))

/** Whether this browser can show push messages at all. */
export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = async () => (await navigator.serviceWorker.getRegistration()) ?? (await navigator.serviceWorker.register('/sw.js'))

const subscriptionNow = async (): Promise<PushSubscription | null> => {
  if (!canPush() || Notification.permission !== 'granted') return null
  const known = await navigator.serviceWorker.getRegistration()
  return (await known?.pushManager.getSubscription()) ?? null
}

/** Whether this browser gets push messages now. */
export const pushIsOn = async (): Promise<boolean> => (await subscriptionNow()) !== null

const register = async (subscription: PushSubscription): Promise<void> => {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await client.push.subscribe({ endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } })
}

/**
 * Binds the subscription of this browser to the present session, with which it ends: the server may know it from an earlier session, or
 * without one.
 */
export const renewPush = async (): Promise<void> => {
  const subscription = await subscriptionNow()
  if (subscription) await register(subscription)
}

/**
 * Has push messages sent to this browser; to be called when somebody pressed something, since the browser asks them.
 * @returns false where they say no
 */
export const switchPushOn = async (): Promise<boolean> => {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { public_key } = (await client.push.key()).data
  await registration()
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(public_key) })
  await register(subscription)
  return true
}

export const switchPushOff = async (): Promise<void> => {
  const known = await navigator.serviceWorker.getRegistration()
  const subscription = await known?.pushManager.getSubscription()
  if (!subscription) return
  await client.push.unsubscribe({ endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}
