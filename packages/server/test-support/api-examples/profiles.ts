import type { Recording } from './recording.ts'

export const profiles: Recording = async (_recorder, { ben }) => {
  await ben.show().profiles.get({ username: 'mara' })
  await ben.show('One’s own').profiles.get({ username: 'me' })
  await ben.show().profiles.update({
    username: 'ben',
    display_name: 'Ben Okafor',
    bio: 'Grows tomatoes on a balcony.',
    location: 'Leeds',
    website: 'https://ben.example/',
    social_links: { instagram: 'https://pictures.example/ben' },
  })
  await ben.show().profiles.comments({ username: 'mara' })
  await ben.show().profiles.spaces({ username: 'yuki' })
}
