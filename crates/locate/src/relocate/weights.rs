//! The learned weights. Written by `cargo xtask bench robust`; docs/robustness.md says how and from what.

use super::judge::Weights;

/// With an anchor.
pub(crate) static ANCHOR: Weights<'_> = Weights {
    rank: &[
        -1.8113, // line_equal
        2.3800,  // line_like
        -2.3706, // line_like_squared
        2.7304,  // left_like
        3.3170,  // right_like
        -2.0565, // sides_like
        0.3441,  // left_run
        1.4057,  // right_run
        0.0748,  // left_token
        -0.5504, // right_token
        3.7075,  // same_ordinal
        0.2784,  // near_lower
        1.3247,  // near_higher
        -1.9104, // next_lower
        0.9155,  // next_higher
        2.6090,  // next_both_like
        4.6900,  // wide_lower
        -0.2124, // wide_higher
        -1.3724, // equal_and_near
        -3.7069, // like_and_wide
        2.2003,  // equal_alone
        5.5511,  // equal_same_rank
        -1.3905, // equal_same_count
        -1.2397, // neighbours_elsewhere
        2.3758,  // far_elsewhere
        5.4600,  // equal_but_elsewhere
        -7.0400, // like_but_elsewhere
        2.2319,  // at_neighbours
        0.1078,  // close_to_neighbours
        -4.4193, // neighbours_lower
        -3.4421, // at_neighbours_lower
        1.4985,  // word_unique
        -1.6697, // word_now_unique
        4.1213,  // word_same_rank
        1.0671,  // word_one_rank
        -1.5689, // word_same_count
        -0.3227, // word_count
        8.6733,  // line_pairs
        -3.8386, // line_pairs_squared
        2.5373,  // pairs_and_wide
        1.5413,  // before_like
        1.4189,  // behind_like
        -4.1367, // stream_lower
        1.9410,  // stream_product
        2.5990,  // stream_and_wide
        2.2769,  // replaced
        2.0970,  // replaced_better
        1.4733,  // declares
        -3.4248, // declared_only
        0.6204,  // scope_like
        0.1085,  // scope_equal
        0.4295,  // scope_name
        1.6817,  // scope_and_like
        -1.5702, // left_scope
        -1.3824, // scope_and_neighbours
        0.0191,  // scope_like_near
    ],
    accept: &[
        -1.1584, // line_equal
        2.6098,  // line_like
        0.5603,  // line_like_squared
        0.3261,  // left_like
        0.9095,  // right_like
        -2.1326, // sides_like
        -0.0364, // left_run
        -0.7063, // right_run
        0.5686,  // left_token
        0.7994,  // right_token
        -3.4737, // same_ordinal
        -0.1372, // near_lower
        1.7403,  // near_higher
        -0.9931, // next_lower
        -0.3580, // next_higher
        0.8229,  // next_both_like
        2.2219,  // wide_lower
        -1.1514, // wide_higher
        -0.6627, // equal_and_near
        -0.4020, // like_and_wide
        -1.1331, // equal_alone
        1.4584,  // equal_same_rank
        1.4584,  // equal_same_count
        0.0284,  // neighbours_elsewhere
        2.3832,  // far_elsewhere
        1.1112,  // equal_but_elsewhere
        -3.4411, // like_but_elsewhere
        -0.3911, // at_neighbours
        -0.4388, // close_to_neighbours
        -1.1389, // neighbours_lower
        0.4483,  // at_neighbours_lower
        1.6765,  // word_unique
        -3.1113, // word_now_unique
        -0.0108, // word_same_rank
        -1.3081, // word_one_rank
        0.2396,  // word_same_count
        0.0829,  // word_count
        5.0706,  // line_pairs
        -2.4899, // line_pairs_squared
        1.1422,  // pairs_and_wide
        1.7342,  // before_like
        1.7560,  // behind_like
        0.2262,  // stream_lower
        -2.7403, // stream_product
        1.6135,  // stream_and_wide
        -1.4419, // replaced
        11.5119, // replaced_better
        0.1337,  // declares
        -4.3497, // declared_only
        -0.0764, // scope_like
        2.3925,  // scope_equal
        -1.3731, // scope_name
        1.4627,  // scope_and_like
        0.1888,  // left_scope
        -0.6971, // scope_and_neighbours
        0.3175,  // scope_like_near
    ],
    score: 0.2829,
    lead: 0.3704,
    bias: -8.7117,
    accepted: 0.93,
};

/// With the words of a location alone.
pub(crate) static WORDS: Weights<'_> = Weights {
    rank: &[
        -0.6268, // find_equal
        -0.9791, // find_like
        -3.6111, // left_run
        -2.3123, // right_run
        1.5704,  // left_like
        1.5916,  // right_like
        2.3153,  // left_token
        1.1584,  // right_token
        -0.3234, // left_empty
        -0.4759, // right_empty
        -1.5653, // n_tokens
        0.1865,  // long_find
        0.5898,  // word_length
        3.8924,  // equal_alone
        6.2374,  // equal_alone_in_scope
        2.1664,  // like_lead
        -2.0096, // word_alone
        -0.2445, // word_count
        1.6991,  // in_scope_alone
        0.1035,  // in_scope
        -3.7701, // in_scope_and_equal
        -0.0490, // in_scope_and_like
        0.3020,  // no_scope_now
        -2.4140, // elsewhere
        0.8232,  // scope_like
        -0.4842, // scope_equal
        2.2628,  // scope_name
        0.7954,  // scope_like_and_like
        -0.9929, // outside_both
        0.0495,  // name_declares
        1.4187,  // name_and_path
        -0.1077, // name_and_last
        0.4881,  // name_alone
        -7.6541, // find_declares
        -2.8969, // equal_elsewhere
        0.8343,  // long_and_equal
        1.2438,  // long_and_like
        -0.9469, // indexed
    ],
    accept: &[
        1.8640,  // find_equal
        -1.5512, // find_like
        -2.6546, // left_run
        -2.2604, // right_run
        1.2220,  // left_like
        2.6449,  // right_like
        1.7492,  // left_token
        0.6765,  // right_token
        -0.1493, // left_empty
        -0.5020, // right_empty
        -0.1058, // n_tokens
        0.7775,  // long_find
        0.1530,  // word_length
        0.3774,  // equal_alone
        0.6271,  // equal_alone_in_scope
        -0.3825, // like_lead
        -1.5424, // word_alone
        -0.1131, // word_count
        -0.5324, // in_scope_alone
        0.6010,  // in_scope
        -0.5502, // in_scope_and_equal
        0.1062,  // in_scope_and_like
        0.4365,  // no_scope_now
        1.3675,  // elsewhere
        0.0557,  // scope_like
        0.1306,  // scope_equal
        1.3811,  // scope_name
        1.1281,  // scope_like_and_like
        0.3076,  // outside_both
        0.3563,  // name_declares
        1.2685,  // name_and_path
        -0.2491, // name_and_last
        -0.4511, // name_alone
        -4.8030, // find_declares
        1.7327,  // equal_elsewhere
        0.1166,  // long_and_equal
        -0.1314, // long_and_like
        -0.9051, // indexed
    ],
    score: 0.2298,
    lead: 0.2447,
    bias: -3.9889,
    accepted: 0.93,
};
