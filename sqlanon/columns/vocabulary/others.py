"""What is not about what a person is: weights, flags, labels, marks of the machine."""

from __future__ import annotations

from .meaning import OTHER, Meaning, keys_of

OTHERS = (
    Meaning(
        OTHER,
        "Sampling weight: it says how many people a row stands for.",
        names="pwgtp wgtp fnlwgt perwt hhwt asecwt wtfinl earnwt pwsswgt pworwgt pwcmpwgt marsupwt wtmec2yr wtint2yr "
        "wtmec4yr wtint4yr wtsaf2yr wtmecprp wtintprp llcpwt llcpwt2 wt2rake finalwt wtrake repwt repwtp slwt "
        "llcpwtv pwlgwgt pwvetwgt hwhhwgt hsupwgt fsupwgt afnlwgt finalwgt",
        words="sampleweight samplingweight surveyweight finalweight personweight replicateweight replicate repweight "
        "householdweight designweight weighting analysisweight expansionfactor jackknife bootstrapweight",
        kind="weight of a sample",
    ),
    Meaning(
        OTHER,
        "Design of the survey: strata and clusters.",
        names="sdmvpsu sdmvstra psu ststr stratum strata cluster rt adjinc adjhsg sddsrvyr",
        words="stratum primarysamplingunit samplingunit surveyyear surveymonth",
    ),
    Meaning(
        OTHER,
        "Says how a value was obtained, not what somebody is.",
        names="fagep fsexp fracp fhisp fmarp fschlp fpincp fwagp fdisp frelp fcitp fcowp fesrp fpobp fwkhp qage qsex "
        "qrace",
        words="imputed imputation allocationflag imputationflag qualityflag dataquality",
    ),
    Meaning(
        OTHER,
        "A mark of the machine: when or by what a row was written.",
        words="createdat updatedat created updated modified modifiedat inserted insertedat loadedat loaddate loadtime "
        "storetime etldate etltimestamp lastmodified lastupdated ingestedat timestamputc",
        kind="date",
    ),
    Meaning(
        OTHER,
        "A mark of the machine: which file or version a row comes from.",
        names="version etl",
        words="checksum filename sourcefile rowversion schemaversion etlversion",
    ),
    Meaning(
        OTHER,
        "Key of a thing or a kind of thing, not of a person.",
        names="itemid seqnum gsnid sku",
        words=f"{keys_of('product concept category type vocabulary code currency unitconcept sensor asset')} "
        "conceptid unitofmeasure valueuom uom currency",
    ),
    Meaning(
        OTHER,
        "A label to be predicted: give it the role of what it says.",
        names="class target label y prediction predicted classlabel",
        most=100,
    ),
    Meaning(
        OTHER,
        "A count of things, without a known meaning about people.",
        names="n count total qty quantity freq frequency",
        words="count counts rowcount",
    ),
)
