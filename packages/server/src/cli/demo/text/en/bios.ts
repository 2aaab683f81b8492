export const bios = [
  '{Hobby}, {hobby2} and [long walks|too much coffee|old radios|a very slow dog].', '{Job} by day, {hobby} by night.', '{Job} in {city}. Here for {hobby}.', 'I ask a lot of questions about {hobby}.', 'Parent of {2-4}, {job}, [forever|still] a beginner at {hobby}.', '{Hobby} since {1985-2022}. Still learning.', 'Mostly harmless. {Hobby}, {hobby2}, repeat.', '{Job}, [retired|semi-retired|on a break], finally with time for {hobby}.',
  'Moved to {city} for work, stayed for [the people|the hills|the food].', 'Will talk about {hobby} [unless stopped|at any hour].', '{Hobby} and {hobby2}.', '{Job}. {Hobby}.', '{hobby} · {hobby2} · tea', 'Ex-{job}, now [happier|something with wood|back at university].', '[Left-handed|Short-sighted|Sleep-deprived|Stubborn] {job} with a soft spot for {hobby}.', 'Reads more than posts. {Hobby}.',
  'Teaching myself {hobby}, one mistake at a time.', '{City}-based {job}. Opinions my own, {hobby} too.', 'If I do not answer, I am out for {hobby}.', 'Somewhere between {hobby} and {hobby2}.', 'Collector of [half-finished projects|seeds|maps|unread books]. {Job}.', 'Curious by trade ({job}), [messy|tidy] by nature.', '', '', '', 'Hi! I am into {hobby}.', 'Learning in public.', 'Just here to read and learn.', 'Coffee first, then {hobby}.', 'Two cats, one {job}, no spare time.', 'Ask me about {hobby}.', 'Here because [a friend|my sister|a colleague] sent me. Stayed because of you lot.',
]

export const bioLists = {
  hobby: [
    'gardening', 'photography', 'board games', 'sourdough', 'trail running', 'cycling', 'woodworking', 'astronomy', 'open source', 'TypeScript', 'synthesizers', 'choir singing', 'reading', 'languages', 'bird watching', 'knitting', 'climbing', 'cold-water swimming', 'repairing old bikes', 'film cameras', 'chess', 'home brewing', 'hiking', 'crosswords', 'pottery', 'bread', 'maps',
  ],
  job: [
    'nurse', 'teacher', 'software developer', 'librarian', 'electrician', 'translator', 'architect', 'student', 'bus driver', 'data analyst', 'bookseller', 'physiotherapist', 'designer', 'accountant', 'carpenter', 'geologist', 'social worker', 'product manager', 'midwife', 'lab technician', 'chef', 'postal worker', 'sysadmin', 'researcher', 'vet', 'civil engineer', 'journalist', 'gardener',
  ],
}
