import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ADMIN, ownCommunity, STAFF_SCREENS, unique } from './browser.ts'

const { admin, visit } = ownCommunity()

/** A member list, marked with a unique name: two members of a space, a duplicate and a row without an address. */
const listFor = (mark: string) => `Name;Email;Joined Date;Spaces;Tags
Ida Imhof ${mark};ida.${mark}@example.org;2024-05-13;Bakers ${mark};vip
Jan Jansen ${mark};jan.${mark}@example.org;2024-05-14;Bakers ${mark};
Ida again;IDA.${mark}@example.org;2024-05-15;;
Nobody;;2024-05-16;;
`

describe.each(STAFF_SCREENS)('imports, %s', (screen) => {
  it('a member list is uploaded, tried and imported, and the report says what was left out', async () => {
    const mark = unique(screen)
    // The files of an earlier try, which can be deleted once its import has ended.
    await expect.poll(async () => (await admin().migrations.status({ source: 'csv' })).status).not.toBe('in_progress')
    await admin().migrations.removeFiles({ source: 'csv' })
    const { page, consoleErrors } = await visit(screen, '/admin/import', { as: ADMIN })
    await page.getByRole('link', { name: /^CSV/ }).click()
    await page.getByRole('heading', { name: 'Import from CSV' }).waitFor()
    await page.getByText('Upload files first.').waitFor()
    expect(await page.getByRole('button', { name: 'Dry run' }).isDisabled()).toBe(true)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload files' }).click()
    await (await chooser).setFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(listFor(mark)) })
    await page.getByRole('list', { name: 'Uploaded files' }).getByText('members.csv').waitFor()

    const people = async () =>
      (await admin().members.list({ search: `Imhof ${mark}` })).members.data.map(({ display_name }) => display_name)
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('heading', { name: 'Result of the dry run' }).waitFor()
    await page.getByText('Nothing was written.').waitFor()
    expect(
      await page
        .getByRole('row', { name: /^Members/ })
        .getByRole('cell')
        .allTextContents(),
    ).toEqual(['4', '2', '0', '0', '1', '1'])
    const audience = page
      .getByRole('listitem')
      .filter({ hasText: `Bakers ${mark}` })
      .getByText('Secret: only its 2 members know of it.')
    await audience.waitFor()
    await page.getByText('values of the column “Tags”').waitFor()

    await page.getByText('Choose for single spaces').click()
    await page.getByLabel(`Bakers ${mark}`).selectOption('Leave out')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await audience.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Result of the dry run' }).waitFor()
    expect(await audience.count()).toBe(0)
    await page.getByLabel(`Bakers ${mark}`).selectOption('As at the source')
    expect(await people()).toEqual([])

    await page.getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start import' }).click()
    await page.getByRole('heading', { name: 'Result of the import' }).waitFor()
    expect(await people()).toEqual([`Ida Imhof ${mark}`])
    await page.getByText('2 records were left out, each with its reason.').waitFor()
    await page.getByText('it has no email address').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download as CSV' }).click()
    const report = readFileSync(await (await download).path(), 'utf8')
    expect(report.split('\r\n')).toContain('people,5,failed,it has no email address')
    // The files are deleted after the import.
    await page.getByText('Upload files first.').waitFor()

    await page.getByRole('link', { name: 'Bring your community' }).first().click()
    await page.getByRole('link', { name: /^CSV/ }).getByText('Completed').waitFor()
    expect(consoleErrors).toEqual([])
  })

  it('a site is named with an account whose key is never shown again, and an unusable address is refused', async () => {
    await admin().migrations.saveConfig({ source: 'discourse', url: '' })
    const { page, consoleErrors } = await visit(screen, '/admin/import/discourse', { as: ADMIN })
    expect(await page.getByRole('checkbox', { name: 'Bring profile pictures' }).isChecked()).toBe(true)
    await page.getByText('Read a site').click()
    await page.getByLabel('Address of the site').fill('http://forum.example')
    await page.getByLabel('Administrator’s username').fill('boss')
    await page.getByRole('button', { name: 'Save site' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Address of the site').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Administrator’s username').inputValue()).toBe('boss')
    expect(consoleErrors.splice(0).filter((text) => !text.includes('400'))).toEqual([])
    await page.getByLabel('Address of the site').fill('https://127.0.0.1:9')
    await page.getByLabel('API key').fill('a secret key')
    await page.getByRole('button', { name: 'Save site' }).click()
    await page.getByText('Site saved').waitFor()
    expect(await page.getByRole('button', { name: 'Dry run' }).isEnabled()).toBe(true)
    await page.reload()
    await page.getByText('Leave empty to keep the stored one.').waitFor()
    expect(await page.getByLabel('Address of the site').inputValue()).toBe('https://127.0.0.1:9')
    expect(await page.getByLabel('API key').inputValue()).toBe('')
    expect(JSON.stringify(await admin().migrations.config({ source: 'discourse' }))).not.toContain('secret key')
    await page.getByRole('button', { name: 'Remove site' }).click()
    await page.getByText('Upload files or name a site first.').waitFor()
    expect((await admin().migrations.config({ source: 'discourse' })).config.url).toBeNull()
    expect(consoleErrors).toEqual([])
  })
})
