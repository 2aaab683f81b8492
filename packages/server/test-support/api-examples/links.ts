import type { Recording } from './recording.ts'

export const links: Recording = async (_recorder, { ines }) => {
  await ines.show().links.save({
    links: [
      { title: 'House rules', url: 'https://community.example/rules', enabled: true },
      { title: 'Plant calendar', url: 'https://calendar.example/beds', icon: 'https://calendar.example/icon.png', new_tab: true },
    ],
  })
  await ines.show().links.list()
}
