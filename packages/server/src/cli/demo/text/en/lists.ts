/** Words that any English text may use. */
export const lists: Record<string, string[]> = {
  time: [
    'last night', 'this morning', 'on Saturday', 'yesterday', 'over the weekend', 'two days ago', 'on Sunday afternoon', 'after work',
    'the other day', 'on Thursday evening', 'last week', 'early this morning', 'between two meetings', 'during the lunch break', 'on the train home',
  ],
  span: [
    'three weeks', 'a couple of months', 'about a year', 'ten days', 'the best part of a year', 'a month', 'two years', 'six weeks', 'half a year',
    'four months', 'a fortnight', 'three years', 'nearly five years',
  ],
  buddy: [
    'a neighbour', 'my sister', 'a colleague', 'my partner', 'an old friend', 'my dad', 'my brother-in-law', 'my mum', 'my flatmate',
    'someone at work', 'my teenage daughter', 'my cousin', 'a friend who knows far more than me', 'my oldest son', 'my aunt',
  ],
  city: [
    'Leeds', 'Bristol', 'Portland', 'Dublin', 'Utrecht', 'Malmö', 'Toronto', 'Wellington', 'Glasgow', 'Austin', 'Cape Town', 'Cork', 'Chicago',
    'Ghent', 'Melbourne', 'Edinburgh', 'Denver', 'Lyon', 'Vienna', 'Helsinki', 'Singapore', 'Bengaluru', 'Lagos', 'Lisbon', 'Kraków', 'Minneapolis',
  ],
  venue: [
    'the library café', 'the community centre', 'the back room of the Anchor', 'the park entrance by the fountain', 'the old fire station',
    'the makerspace', 'the café opposite the station', 'the school hall', 'the boathouse', 'the co-op on Mill Lane', 'a video call (link in the evening)',
  ],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  hour: ['9:30', '10:00', '11:00', '14:00', '15:30', '17:00', '18:00', '18:30', '19:00', '19:30', '20:00'],
  night: ['Half past one', 'A quarter to three', 'Ten past two', 'Midnight', 'Shortly after four'],
  drink: ['coffee', 'tea', 'cake', 'soup', 'lemonade', 'biscuits'],
  praise: ['brilliant', 'lovely', 'impressive', 'great', 'wonderful', 'excellent', 'gorgeous', 'fantastic', 'superb', 'delightful'],
}
