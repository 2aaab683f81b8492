import { BASE_PATH } from './base-path.ts'

/** The home page has no slash at its end, so that it lies above the folder of the worker. */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(`${BASE_PATH}/sw.js`, { scope: BASE_PATH || '/' })
