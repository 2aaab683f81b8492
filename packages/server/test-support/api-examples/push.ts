import type { Recording } from './recording.ts'

/** In a browser's format; the key is a valid point on the curve. */
const phone = {
  endpoint: 'https://push.example/send/dGhpcyBpcyBhIGRldmljZQ',
  keys: {
    p256dh: 'BA8btVObzPTDjZZXP_sbnm3d93K8SzS5c0WydInZuYHL4jPOnQpCshmmKIkrahewbWaMf1Dt-xY3xO0mJ9yNvqI',
    auth: 'tBHItJI5svbpez7KI4CCXg',
  },
}

export const push: Recording = async (_recorder, { mara }) => {
  await mara.show().push.key()
  const { data } = await mara.show().push.subscribe(phone)
  await mara.show().push.list()
  await mara.show().push.unsubscribe({ endpoint: 'https://push.example/send/an-older-device' })
  await mara.show().push.remove({ id: data.id })
}
