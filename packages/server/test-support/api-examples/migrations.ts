import type { Recording } from './recording.ts'

export const migrations: Recording = async (_recorder, { ines }) => {
  await ines.show().migrations.saveConfig({
    source: 'fluentcommunity',
    url: 'https://garden.example.org',
    username: 'ines',
    application_password: 'wJ2p Zk8R xQ4t Lm6V',
  })
  await ines.show().migrations.removeFiles({ source: 'lyceum' })
  const file = new Blob(['Name,Email\nMira,mira@example.org\n'], { type: 'text/csv' })
  await ines.show().migrations.addFile({ source: 'csv', file, filename: 'members.csv' })
  await ines.show().migrations.config({ source: 'csv' })
  await ines.show().migrations.start({ source: 'csv', items: ['people'], dry_run: true })
  await ines.show().migrations.status({ source: 'csv' })
  await ines.show().migrations.report({ source: 'csv' })
  await ines.show().migrations.list()
  await ines.show().backups.list({})
}
