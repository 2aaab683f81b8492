import { expect, test } from 'vitest'
import { type ProfileField, type ProfileValue, profileOf, shownDate } from './profile.ts'
import { siteNamed, socialAddress, webAddress } from './social-sites.ts'

let next = 0
const value = (name: string, text: string, field: Partial<ProfileField> = {}, chosen?: string): ProfileValue => ({
  field: { id: ++next, type: 'textbox', name, part: null, visibility: 'public', mayChoose: true, dateFormat: 'Y-m-d', ...field },
  value: text,
  chosen,
})

test('known fields have places of their own, others follow the biography', () => {
  const profile = profileOf([
    value('Name', 'Ana Ruiz', { part: 'name' }),
    value('About me', 'I bake &amp; I sell.\nDaily.', { type: 'textarea' }),
    value('City', 'Graz'),
    value('Country', 'Austria'),
    value('Homepage', 'https://ana.example/', { type: 'url' }),
    value('Second page', 'https://two.example', { type: 'url' }),
    value('Favourite flour', 'a:2:{i:0;s:3:"Rye";i:1;s:6:"Spelt\\";}', { type: 'checkbox' }),
    value('Instagram', '@ana.bakes'),
    value('Member since', '2001-02-03 00:00:00', { type: 'datebox' }),
    value('Empty', '  '),
  ])
  expect(profile).toEqual({
    display_name: 'Ana Ruiz',
    short_description:
      'I bake & I sell.\nDaily.\n\nSecond page: https://two.example\nFavourite flour: Rye, Spelt\nMember since: 2001-02-03',
    location: 'Graz, Austria',
    website: 'https://ana.example/',
    social_links: { instagram: 'https://www.instagram.com/ana.bakes' },
    hiddenNames: [],
    withheld: 0,
  })
})

test('the description of the account is the biography of people without one', () => {
  expect(profileOf([], 'Baker').short_description).toBe('Baker')
  expect(profileOf([value('Bio', 'Chef')], 'Baker').short_description).toBe('Chef')
  expect(profileOf([value('Bio', 'Chef', { visibility: 'adminsonly' })], '').short_description).toBe(undefined)
})

test('values that not all members see are left out and counted', () => {
  const profile = profileOf([
    value('Phone', '123', { visibility: 'adminsonly' }),
    value('Email', 'a@b.example', {}, 'friends'),
    value('Secret', 'x', {}, 'onlyme'),
    value('Odd', 'x', { visibility: 'premium' }),
    value('Nick', 'Ann', {}, 'loggedin'),
    value('Fixed', 'shown', { mayChoose: false }, 'adminsonly'),
    value('Fixed too', 'hidden', { mayChoose: false, visibility: 'adminsonly' }, 'public'),
    value('Last Name', 'Ruiz', { part: 'last_name' }, 'friends'),
  ])
  expect(profile.short_description).toBe('Nick: Ann\nFixed: shown')
  expect(profile.withheld).toBe(6)
  expect(profile.hiddenNames).toEqual(['Ruiz'])
  expect(JSON.stringify(profile)).not.toContain('123')
})

test('damaged lists are left out', () => {
  expect(profileOf([value('Skills', 'a:2:{i:0;s:3:"Ry', { type: 'checkbox' })]).short_description).toBe(undefined)
})

test('the networks of BuddyBoss become links, unknown ones lines', () => {
  const networks = 'a:3:{s:8:"facebook";s:22:"https://fb.example/ana";s:6:"flickr";s:22:"https://fl.example/ana";s:7:"twitter";s:0:"";}'
  expect(profileOf([value('Social', networks, { type: 'socialnetworks' })])).toMatchObject({
    social_links: { fb: 'https://fb.example/ana' },
    short_description: 'flickr: https://fl.example/ana',
  })
})

test('a date has the parts that the site shows', () => {
  expect(shownDate('1990-05-06 00:00:00', 'F j, Y')).toBe('1990-05-06')
  expect(shownDate('1990-05-06 00:00:00', 'F j')).toBe('05-06')
  expect(shownDate('1990-05-06 00:00:00', 'F Y')).toBe('1990-05')
  expect(shownDate('1990-05-06 00:00:00', 'elapsed')).toBe('1990')
  expect(shownDate('1990-05-06 00:00:00', '\\Y\\e\\a\\r F')).toBe('05')
  expect(shownDate('0000-00-00 00:00:00', 'Y')).toBe('')
  expect(shownDate('soon', 'Y')).toBe('')
})

test('names of networks and their addresses', () => {
  expect(['X', 'Twitter / X', 'My Facebook Profile URL', 'LinkedIn', 'BlueSky', 'Ex'].map(siteNamed)).toEqual([
    'twitter',
    'twitter',
    'fb',
    'linkedin',
    'blue_sky',
    undefined,
  ])
  expect(socialAddress('twitter', '@ana')).toBe('https://twitter.com/ana')
  expect(socialAddress('twitter', 'twitter.com/ana')).toBe('https://twitter.com/ana')
  expect(socialAddress('mastodon', '@ana@social.example')).toBe('https://social.example/@ana')
  expect(socialAddress('youtube', 'just a text')).toBe(null)
  expect(webAddress('javascript:alert(1)')).toBe(null)
  expect(webAddress('ana.example/page')).toBe('https://ana.example/page')
  expect(webAddress('ana')).toBe(null)
})
