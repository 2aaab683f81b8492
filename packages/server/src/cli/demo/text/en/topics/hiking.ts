import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const hiking: Topic = {
  key: 'hiking',
  language: 'en',
  lists: {
    field: ['hiking'],
    thing: words(
      `hut-to-hut tours, wild camping, light packs, winter walks, map reading, coastal paths, hiking alone, hiking with dogs, trail food, night trains to the mountains, via ferratas, long-distance trails, river crossings, blister care, sunrise summits, tarps, walking with children, pilgrim routes`,
    ),
    gear: words(
      `sleeping mat, gas stove, pair of trekking poles, water filter, down jacket, one-person tent, tarp, paper map, compass, rain skirt, 40-litre pack, head torch, bivvy bag, thermos, pair of gaiters, emergency shelter`,
    ),
    problem: words(
      `blisters, a soaked sleeping bag, thunderstorms above the tree line, a wobbly knee on the way down, snoring in huts, cows on the path, ticks, fog, a path that no longer exists, heavy packs, mice, closed huts, condensation in the tent`,
    ),
    doing: words(
      `cutting the weight of my pack, walking before sunrise, reading contour lines, drying food at home, sleeping under a tarp, walking one stage each weekend, going without a phone, collecting litter on the way, taking the train to the trailhead, baking trail bread`,
    ),
    did: words(
      `walked the whole coast path, slept on a summit, crossed the ridge at last, hiked a week alone, carried a child over the pass, saw the sunrise above the clouds, walked from my front door to the sea, got lost and found a better valley, finished a trail in stages over eleven years, did a winter night in a tent, made friends with a donkey`,
    ),
    where: words(
      `above the tree line, on the coast, in fog, in the hills behind my house, with a heavy pack, in the snow, with a dog, on an old pilgrim path, with a toddler on my back, in the rain, in the north, with public transport only`,
    ),
    goal: words(
      `avoid blisters, get the pack under nine kilos, plan a week from hut to hut, stay dry for three days, walk alone without worrying, read a map in fog, get down without knee pain, sleep warm at zero degrees, cook on the trail, take children along, find quiet paths, get fit for a long tour`,
    ),
  },
  cases: [
    {
      titles: lines(`
        {k=11-19} kg for {k2=3-9} days – too heavy?
        Help me lose {k=11-19} kilos (of pack)
        Shakedown wanted: {k2=3-9} days, {where}`),
      story: lines(`
        My pack for {k2=3-9} days weighs {k=11-19} kg with food and water, {where}. The tent alone is {2-3}.{1-9}. I am {55-85} kilos, and my knees are from {1968-1994}.
        Everybody talks about eight kilos. I am at {k=11-19} for {k2=3-9} days and do not see what to leave out.`),
      ask: lines(`
        Where would you start?
        What is worth its weight to you?`),
      answers: lines(`
        The big three: tent, bag, pack. Cotton socks do not matter before that.
        Weigh everything, in a list. You will be shocked by the “little things” bag.
        Second trousers out, second pair of shoes out, book out (sorry).
        Food at 700 g a day, not a kilo. Most people carry dinner home again.
        I keep the chair. Ha! 400 grams of joy, everything else is negotiable.
        {k=11-19} with winter kit would be fine. Which season?`),
    },
    {
      titles: lines(`
        Blisters after {k=8-20} km, every time
        New boots, old problem
        What do you do against blisters?`),
      story: lines(`
        Same spot on both heels after {k=8-20} km, in boots that feel perfect in the shop. {Span} old, well broken in, I thought.
        I have spent more on plasters than on boots. After {k=8-20} km the [heels|little toes] are gone.`),
      ask: lines(`
        Socks, boots or technique?
        Tape before or after?`),
      answers: lines(`
        Trail shoes half a size up. I have not had a blister since I gave up boots.
        Tape before. Where you know it will come, at home, on dry skin.
        Two thin pairs of socks, the inner one tight. Sounds wrong, works.
        Heel lock lacing! Five minutes to learn, no more movement.
        Feet out at every break, let them dry, powder, on again.
        {k=8-20} km and then stop at the first hot spot. Not at the next bench, at once.`),
    },
    {
      titles: lines(`
        Walking alone: how do you deal with the nights?
        First solo tour, {k=3-10} days, a bit scared
        Solo hike: what do you tell your family?`),
      story: lines(`
        {k=3-10} days on my own, {where}, for the first time. By day I look forward to it. At night in bed I hear every [branch|mouse] already.
        I have walked with others for {span*}. Now {buddy*} cannot come, and I would like to go anyway: {k=3-10} days.`),
      ask: lines(`
        What helped you in the first nights?
        What do you carry for emergencies?`),
      answers: lines(`
        Earplugs. What you do not hear does not exist, and nothing in there wants you.
        The first night is bad, the second is fine, from the third on you do not want company any more.
        Leave the plan with someone, with a time at which they may worry. And then stick to it.
        A whistle, a shelter, a charged phone that is switched off. I have needed none of it in {span*}.
        Start with one night near home. If you go back at midnight, so what.
        Talk to people in villages. You are alone only between them.`),
    },
    {
      titles: lines(`
        Hut to hut with a {k=5-11}-year-old?
        How far can a {k=5-11}-year-old walk?
        Children {where}: what is realistic?`),
      story: lines(`
        We would like to do {k2=2-5} days with our {k=5-11}-year-old, who walks {6-12} km when there is a stream, and one when there is not.
        Our {k=5-11}-year-old wants to “sleep in the mountains”. We are out of practice as well. {k2=2-5} days, public transport.`),
      ask: lines(`
        Which distance would you plan?
        What keeps them going?`),
      answers: lines(`
        Half of what the app says, twice the time, and a stream at noon.
        Another child. Nothing else makes them walk as far.
        Give them the map and the job. Mine led us, slowly, and never complained.
        Stories in instalments, next part at the next signpost.
        {k2=2-5} days with one base hut instead of moving each day. Less packing, more lakes.
        Gummy bears. I have no shame.`),
    },
  ],
  shows: lines(`
    {9-34} km, {400-2100/10} metres up, {2-9} other people in the whole day.
    We started in fog, and at {1400-2300/10} metres walked out of it as through a door.
    It rained for {2-4} days, and I have never laughed so much.
    The hut keeper had soup, a stove and an opinion on our boots.
    I counted {3-30} ibex and one man in sandals, who overtook me.
    My feet hurt, my head is empty, exactly as planned.
    The last bus had gone. A farmer took us down, between two calves.
    Slept at eight, woken by cowbells at five. Perfect.`),
  details: lines(`
    The path is marked, apart from the {2-5} places where it matters.
    Water every {5-9} kilometres or so, filtered all the same.
    The pack was {7-13} kilos, and I used everything except the gaiters.
    Going up was lungs, coming down was knees.
    Trains there and back, two changes, no car.
    The weather report was wrong in our favour for once.
    Dinner was couscous with whatever was left.
    There is a bivouac below the saddle that is not on the map.`),
  tips: lines(`
    Start early, the storm comes after lunch.
    Treat the hot spot at once and not at the next bench.
    Keep the sleeping bag dry, whatever else gets wet.
    Turn back while it is still your own decision.
    Tell someone where you go and when you are back.
    Carry the map where you can reach it.
    Eat a little every hour.
    Loosen the laces going up, tighten them going down.
    Put tomorrow’s clothes into the sleeping bag.
    Greet everyone, it is the only rule of the hills.
    Put the rain jacket on top of the pack.
    Take your rubbish, and one piece that is not yours.
    Walk at the pace at which you can still sing.
    Ask the hut keeper about the path, never the app.`),
  opinions: lines(`
    The best view is halfway up, where nobody stops.
    Trail shoes beat boots on nearly every path.
    A summit is an excuse for a walk.
    Weight is a question of fear.
    Huts without reception are the last good hotels.
    Walking the same path in each season teaches more than four new ones.
    Poles look silly and save knees.
    Lists of “hidden gems” are how gems stop being hidden.
    Bad weather makes better stories, and we all know it.
    The way home belongs to the tour, so take the train.`),
  replies: lines(`
    Which stage was that? I would love to do it too.
    How cold was it at night?
    I know that hut! Is the soup still so good?
    Did you meet the cows?
    What does your pack weigh without food?
    That light! You earned it.
    I went up there in fog and saw my own feet.
    Is it doable with public transport?
    My knees hurt from reading it.
    On the list for next year.
    Was there still snow at the top?
    Earplugs for the dormitory. Always.`),
  polls: [
    { question: 'Tent, hut or tarp?', options: ['Tent', 'Hut', 'Tarp', 'Home in my own bed'] },
    {
      question: 'How heavy is your pack for three days?',
      options: ['Under 7 kg', '7 to 10 kg', '10 to 14 kg', 'More', 'My partner carries it'],
    },
    { question: 'Alone or together?', options: ['Alone', 'As a couple', 'Small group', 'The more the merrier', 'With a dog'] },
  ],
  resources: [
    ['Contour lines for everyone', 'after that you see the hill on paper'],
    ['A hut keeper’s season', 'diary with recipes'],
    ['The nine-kilo list', 'every gram explained'],
    ['Walking out of the front door', 'no car, no plan, eleven days'],
    ['Weather signs above the tree line', 'which clouds mean turn back'],
    ['Feet: a manual', 'by a podiatrist who hikes'],
    ['Paths that vanished', 'old maps against new ones'],
    ['Night trains and trailheads', 'forty tours without a car'],
  ],
}
