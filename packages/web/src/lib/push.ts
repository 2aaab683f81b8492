import { client } from './client.ts'
import { registerWorker } from './service-worker.ts'

const bytes = (base64url: string) =>
  Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))

export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window

const registration = async () => (await navigator.serviceWorker.getRegistration()) ?? (await registerWorker())

const subscriptionNow = async (): Promise<PushSubscription | null> => {
  if (!canPush() || Notification.permission !== 'granted') return null
  const known = await navigator.serviceWorker.getRegistration()
  return (await known?.pushManager.getSubscription()) ?? null
}

/** Whether this browser has an active push subscription. */
export const isPushEnabled = async (): Promise<boolean> => (await subscriptionNow()) !== null

const register = async (subscription: PushSubscription): Promise<void> => {
  const { endpoint = '', keys = {} } = subscription.toJSON()
  await client.push.subscribe({ endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } })
}

/**
 * Binds the browser's push subscription to the current session. The server may know the subscription from an earlier session, or without
 * one.
 */
export const renewPush = async (): Promise<void> => {
  const subscription = await subscriptionNow()
  if (subscription) await register(subscription)
}

/**
 * Subscribes this browser to push messages. Call it from a user gesture, because the browser asks for permission.
 * @returns false if permission was denied
 */
export const enablePush = async (): Promise<boolean> => {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const { public_key } = (await client.push.key()).data
  await registration()
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(public_key) })
  await register(subscription)
  return true
}

export const disablePush = async (): Promise<void> => {
  const known = await navigator.serviceWorker.getRegistration()
  const subscription = await known?.pushManager.getSubscription()
  if (!subscription) return
  await client.push.unsubscribe({ endpoint: subscription.endpoint })
  await subscription.unsubscribe()
}
